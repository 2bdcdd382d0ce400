"""One episode, from the agent's side."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Coroutine, Sequence, TypeVar

from .audio import Audio
from .errors import (
    EpisodeOverError,
    InterventionError,
    MessageRefusedError,
    NothingSaidError,
    ResponseTimeoutError,
)
from .events import AgentInterrupted, AudioFormat, CustomerStart, EpisodeEnd, EpisodeReady, ToolResult
from .inbox import Inbox
from .speech import WordTime, upload
from .turns import Arguments, AudioListener, Call, EpisodeStart, Reply, StopReason, Utterance

if TYPE_CHECKING:
    from .session import Session

T = TypeVar("T")


class Episode:
    """One conversation. Use with `async with`: the block starts with the customer's opening, and leaving it hangs up.

    Once the episode is over, actions raise `EpisodeOverError`; the block swallows that one, so look at `end` after it.

    `async for customer in episode` gives what waits for an answer: the opening, then what the customer said to the agent's last
    words (the same again when a judge broke in), until the episode is over. It sends nothing; who asks for more without having said
    anything gets `NothingSaidError`. Leaving the loop leaves the episode as it is.
    """

    def __init__(
        self, session: Session, start: EpisodeStart, *, on_audio: AudioListener | None, timeout_s: float | None
    ) -> None:
        self._session = session
        self._start = start
        self._inbox = Inbox(session, window=start.window, on_audio=on_audio)
        self._timeout_s = timeout_s
        self._ready: EpisodeReady | None = None
        self._opening: Utterance | None = None
        self._heard: Utterance | None = None
        # Whether the loop has not given `_heard` yet.
        self._waits = False
        self._lock = asyncio.Lock()
        self._calls = 0
        self._uploads = 0

    @property
    def ready(self) -> EpisodeReady:
        """Policy, tools, and what was granted."""
        if self._ready is None:
            raise RuntimeError("the episode has not been started; use `async with`")
        return self._ready

    @property
    def end(self) -> EpisodeEnd | None:
        """How the episode ended; None while it runs."""
        return self._inbox.end

    @property
    def turn(self) -> int:
        """The last turn that is complete: 0 after the opening."""
        return self._inbox.turn

    @property
    def opening(self) -> Utterance | None:
        """The customer's first words; None when the episode was over before it could speak."""
        return self._opening

    async def __aiter__(self) -> AsyncIterator[Utterance]:
        while (heard := self._take_heard()) is not None:
            yield heard

    async def start(self) -> Episode:
        """Starts the episode and waits for the opening; `async with` does it."""
        await self._limited(self._begin())
        return self

    async def say(
        self, text: str | None = None, *, speech: Audio | int | None = None, reasoning: str | None = None
    ) -> Reply:
        """Says something and waits for the customer.

        `speech`: the agent's own voice, a clip or the number of an upload; without `text` the sandbox transcribes it, if it can.
        """
        return await self._limited(self._say(text, speech, reasoning))

    async def call(
        self, name: str, arguments: Arguments, *, reasoning: str | None = None, call_id: str | None = None
    ) -> ToolResult:
        """Uses a tool. A refusal by the tool is a result with `ok` False, not an exception."""
        (result,) = await self._limited(self._call([Call(name, arguments, call_id)], reasoning, batched=False))
        return result

    async def call_many(self, calls: Sequence[Call], *, reasoning: str | None = None) -> list[ToolResult]:
        """Several calls in one message, run in order; one result each. What the end of the episode cuts off is `cancelled`.
        When a live judge breaks in, `InterventionError.results` are those of the calls before it."""
        return await self._limited(self._call(calls, reasoning, batched=True))

    async def interrupt(self, heard_samples: int | None = None) -> None:
        """Stops the customer, from `on_audio` or another task while `say` waits; `say` then returns what was sent."""
        if self._inbox.speaking is None:
            return
        await self._session._send(
            {"type": "interrupt", "utterance": self._inbox.speaking.utterance, "heardSamples": heard_samples}
        )

    async def upload_speech(
        self, audio: Audio, *, transcript: str | None = None, words: Sequence[WordTime] | None = None
    ) -> int:
        """Sends the agent's own voice ahead of `say`. Returns its number. A refusal comes with the next action.
        `words` say when each word is heard: then the customer who breaks in has heard exactly those that were over."""
        self._require_running()
        self._uploads += 1
        await upload(self._session, self._uploads, audio, transcript, words)
        return self._uploads

    async def stop(self, reason: StopReason = "done", *, detail: str | None = None) -> EpisodeEnd:
        """Hangs up. When the episode is over already, says how."""
        if self._inbox.end is not None:
            return self._inbox.end
        return await self._limited(self._stop(reason, detail))

    async def __aenter__(self) -> Episode:
        return await self.start()

    async def __aexit__(
        self, _type: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        over = isinstance(error, EpisodeOverError) and error.end is self._inbox.end
        if self._inbox.end is None and self._session._failure is None:
            if error is None:
                await self.stop()
            elif isinstance(error, Exception) and not isinstance(error, ResponseTimeoutError):
                await self.stop("failed", detail=f"{type(error).__name__}: {error}"[:2000])
        return over

    def _take_heard(self) -> Utterance | None:
        """What waits for an answer, once; None when the episode is over."""
        if self._inbox.end is not None:
            return None
        if not self._waits:
            raise NothingSaidError("the customer waits for an answer: `say` something (or `stop`) before you ask for more")
        self._waits = False
        return self._heard

    def _hears(self, heard: Utterance | None) -> None:
        self._heard, self._waits = heard, heard is not None

    # The exchange of messages.

    async def _limited(self, work: Coroutine[Any, Any, T]) -> T:
        async with self._lock:
            if self._timeout_s is None:
                return await work
            try:
                return await asyncio.wait_for(work, self._timeout_s)
            except asyncio.TimeoutError as error:
                raise ResponseTimeoutError(f"no answer in {self._timeout_s} s") from error

    def _require_running(self) -> None:
        if self._inbox.end is not None:
            raise EpisodeOverError(self._inbox.end)

    async def _begin(self) -> None:
        if self._ready is not None:
            raise RuntimeError("an episode is started once; ask the session for another one")
        async def exchange() -> None:
            ready = await self._inbox.expect(EpisodeReady)
            self._ready = ready
            self._inbox.audio = ready.audio or AudioFormat()
            self._session._episode_runs = True
            start = await self._inbox.expect(CustomerStart, EpisodeEnd)
            self._opening = None if isinstance(start, EpisodeEnd) else await self._inbox.hear(start)
            if self._opening is not None and self._opening.final:
                await self._inbox.expect(EpisodeEnd)
            self._hears(self._opening)
        message_id = self._session._message_id()
        await self._exchange(self._start.message(message_id), message_id, exchange)

    async def _say(self, text: str | None, speech: Audio | int | None, reasoning: str | None) -> Reply:
        self._require_running()
        message: dict[str, Any] = {"type": "agent.message", "text": text, "reasoning": reasoning}
        if not isinstance(speech, Audio):
            return await self._act({**message, "speech": speech}, self._listen)
        while True:
            resumed = self._session.resumed
            number = await self.upload_speech(speech)
            try:
                return await self._act({**message, "speech": number}, self._listen)
            except MessageRefusedError:
                # A connection lost on the way takes a part of the upload with it.
                if self._session.resumed == resumed:
                    raise

    async def _listen(self) -> Reply:
        asides: list[Utterance] = []
        broke_in: AgentInterrupted | None = None
        while True:
            start = await self._inbox.expect(CustomerStart, AgentInterrupted, EpisodeEnd)
            if isinstance(start, EpisodeEnd):
                return Reply(None, start, broke_in, tuple(asides))
            if isinstance(start, AgentInterrupted):
                broke_in = start
                continue
            heard = await self._inbox.hear(start)
            if start.aside is None:
                end = await self._inbox.expect(EpisodeEnd) if heard.final else None
                self._hears(heard)
                return Reply(heard, end, broke_in, tuple(asides))
            asides.append(heard)

    async def _call(self, calls: Sequence[Call], reasoning: str | None, *, batched: bool) -> list[ToolResult]:
        self._require_running()
        named: list[dict[str, Any]] = []
        for call in calls:
            self._calls += 1
            arguments = call.arguments if isinstance(call.arguments, str) else dict(call.arguments)
            call_id = call.call_id or f"call-{self._calls}"
            named.append({"callId": call_id, "name": call.name, "arguments": arguments})
        async def exchange() -> list[ToolResult]:
            results: list[ToolResult] = []
            while len(results) < len(named):
                try:
                    event = await self._inbox.expect(ToolResult, EpisodeEnd)
                except InterventionError as error:
                    raise InterventionError(error.count, error.message, tuple(results)) from None
                if isinstance(event, EpisodeEnd):
                    raise EpisodeOverError(event)
                self._inbox.turn = max(self._inbox.turn, event.turn)
                results.append(event)
            return results
        body = {"type": "tool.calls", "calls": named} if batched else {"type": "tool.call", **named[0]}
        return await self._act({**body, "reasoning": reasoning}, exchange)

    async def _stop(self, reason: StopReason, detail: str | None) -> EpisodeEnd:
        async def exchange() -> EpisodeEnd:
            return await self._inbox.expect(EpisodeEnd)
        try:
            return await self._act({"type": "agent.stop", "reason": reason, "detail": detail}, exchange)
        except EpisodeOverError as error:
            return error.end

    async def _act(self, message: dict[str, Any], exchange: Callable[[], Coroutine[Any, Any, T]]) -> T:
        message_id = self._session._message_id()
        return await self._exchange({**message, "turn": self._inbox.turn, "messageId": message_id}, message_id, exchange)

    async def _exchange(
        self, message: dict[str, Any], message_id: str, exchange: Callable[[], Coroutine[Any, Any, T]]
    ) -> T:
        try:
            await self._session._send(message)
            return await exchange()
        except InterventionError:
            # Nothing was said or done: what the customer said last still waits for an answer.
            self._waits = True
            raise
        finally:
            self._session._answered(message_id)
