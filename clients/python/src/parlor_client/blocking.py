"""The same client without `async`, for trainers and scripts. Threads may each have sessions of their own.

    with blocking.connect("ws://127.0.0.1:8710/v1") as session:
        with session.episode("eval-001", seed=1) as episode:
            print(episode.say("Hello!").customer)
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from types import TracebackType
from typing import Any, Coroutine, Iterator, Sequence, TypeVar

from . import session as asynchronous
from .audio import Audio
from .episode import Episode as AsyncEpisode
from .events import AudioFormat, EpisodeEnd, EpisodeReady, Hello, Mode, Pacing, ToolResult, TurnTaking
from .speech import WordTime
from .turns import Arguments, AudioListener, Call, Reply, StopReason, Utterance

T = TypeVar("T")


class _Loop:
    """One event loop in a thread of its own, for all sessions; connections are kept alive while the caller computes."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        with self._guard:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="parlor-client", daemon=True).start()
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            # Ctrl-C while waiting: what was waited for is given up as well.
            future.cancel()
            raise


_loop = _Loop()


class Episode:
    """As `parlor_client.Episode`, without `await`."""

    def __init__(self, episode: AsyncEpisode) -> None:
        self._episode = episode

    @property
    def ready(self) -> EpisodeReady:
        return self._episode.ready

    @property
    def opening(self) -> Utterance | None:
        return self._episode.opening

    @property
    def end(self) -> EpisodeEnd | None:
        return self._episode.end

    @property
    def turn(self) -> int:
        return self._episode.turn

    def __iter__(self) -> Iterator[Utterance]:
        while (heard := self._episode._take_heard()) is not None:
            yield heard

    def start(self) -> Episode:
        _loop.run(self._episode.start())
        return self

    def say(
        self, text: str | None = None, *, speech: Audio | int | None = None, reasoning: str | None = None
    ) -> Reply:
        return _loop.run(self._episode.say(text, speech=speech, reasoning=reasoning))

    def call(
        self, name: str, arguments: Arguments, *, reasoning: str | None = None, call_id: str | None = None
    ) -> ToolResult:
        return _loop.run(self._episode.call(name, arguments, reasoning=reasoning, call_id=call_id))

    def call_many(self, calls: Sequence[Call], *, reasoning: str | None = None) -> list[ToolResult]:
        return _loop.run(self._episode.call_many(calls, reasoning=reasoning))

    def interrupt(self, heard_samples: int | None = None) -> None:
        """From another thread than the one that waits in `say`; not from `on_audio`, which must not wait."""
        _loop.run(self._episode.interrupt(heard_samples))

    def upload_speech(
        self, audio: Audio, *, transcript: str | None = None, words: Sequence[WordTime] | None = None
    ) -> int:
        return _loop.run(self._episode.upload_speech(audio, transcript=transcript, words=words))

    def stop(self, reason: StopReason = "done", *, detail: str | None = None) -> EpisodeEnd:
        return _loop.run(self._episode.stop(reason, detail=detail))

    def __enter__(self) -> Episode:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        return _loop.run(self._episode.__aexit__(kind, error, trace))


class Session:
    """As `parlor_client.Session`, without `await`."""

    def __init__(self, session: asynchronous.Session) -> None:
        self._session = session

    @property
    def hello(self) -> Hello:
        return self._session.hello

    def episode(
        self,
        task: str,
        *,
        mode: Mode = "text",
        seed: int = 0,
        trial: int = 0,
        agent: str = "unnamed",
        audio: AudioFormat | None = None,
        pacing: Pacing = "fast",
        window: int | None = None,
        turn_taking: TurnTaking | None = None,
        on_audio: AudioListener | None = None,
        timeout_s: float | None = None,
    ) -> Episode:
        """`on_audio` is called in the client's own thread."""
        return Episode(
            self._session.episode(
                task,
                mode=mode,
                seed=seed,
                trial=trial,
                agent=agent,
                audio=audio,
                pacing=pacing,
                window=window,
                turn_taking=turn_taking,
                on_audio=on_audio,
                timeout_s=timeout_s,
            )
        )

    def close(self) -> None:
        _loop.run(self._session.close())

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


def connect(
    url: str,
    *,
    token: str | None = None,
    ssl: ssl.SSLContext | None = None,
    open_timeout_s: float = 10.0,
    resume: bool = True,
) -> Session:
    """Connects to a sandbox; as `parlor_client.connect`."""

    async def open_session() -> asynchronous.Session:
        return await asynchronous.connect(
            url, token=token, ssl=ssl, open_timeout_s=open_timeout_s, resume=resume
        )

    return Session(_loop.run(open_session()))
