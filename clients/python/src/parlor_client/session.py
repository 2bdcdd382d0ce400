"""A session: what belongs to a client and outlives its connections."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
from collections import deque
from types import TracebackType
from typing import Any, Generator

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from .audio import AudioFrame
from .episode import Episode
from .errors import ConnectionFailedError, ConnectionLostError, ParlorError, ProtocolFaultError, ResumeRefusedError
from .events import AudioFormat, Event, Hello, Mode, Pacing, Refusal, SessionResumed, TurnTaking, Unknown
from .link import Address, loss_of, may_resume, open_socket, parse_frame
from .turns import AudioListener, EpisodeStart

Item = Event | AudioFrame

_BACK_OFF_S = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0)
# Up to this share of it is left out at random, so that clients that lost one server do not come back as one.
_JITTER = 0.5


class Session:
    """A connection to a sandbox, taken up again by itself when it is lost. Made by `connect`.

    One episode at a time; one task at a time may act in it. Use one session for each episode that runs at once.
    """

    def __init__(self, address: Address, socket: ClientConnection, hello: Hello, *, resume: bool) -> None:
        self.hello = hello
        #: How often the session was taken up again.
        self.resumed = 0
        self._address = address
        self._socket = socket
        self._resume = resume and "resume" in hello.capabilities
        self._last_seq = hello.seq
        self._items: deque[Item] = deque()
        self._arrival = asyncio.Event()
        self._failure: ParlorError | None = None
        self._closing = False
        self._message_count = 0
        # Sent and not answered: sent again when the session is resumed. The sandbox takes each only once.
        self._unanswered: dict[str, str] = {}
        # Of those, what was refused on the way: that is an answer as well.
        self._refused: set[str] = set()
        # Events that still come again after a resume; None: the line is up to date, or there is none.
        self._replaying: int | None = None
        self._is_live = True
        self._last_taken: str | None = None
        self._episode_runs = False
        self._reader = asyncio.create_task(self._read(), name="parlor-client reader")

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
        """An episode, to be used with `async with`, which starts it and waits for the customer's opening.

        `audio`: how the customer's sound is to travel (default: PCM16, 16 kHz, binary). `pacing`: "realtime" sends it at the
        speed of speech. `turn_taking`: whether the customer may check in or break in (docs/protocol.md).
        `window`: most bytes of audio under way; acknowledged as they are read. `on_audio`: called with every piece of sound
        as it comes, for agents that listen while the customer speaks. `timeout_s`: longest wait for an answer.
        """
        start = EpisodeStart(task, mode, seed, trial, agent, audio, pacing, window, turn_taking)
        return Episode(self, start, on_audio=on_audio, timeout_s=timeout_s)

    async def close(self) -> None:
        """Hangs up; a running episode ends as `agent_disconnected`. Safe twice."""
        self._closing = True
        self._fail(ConnectionLostError("the session was closed"))
        await self._socket.close(1000)
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.close()

    # What episodes use.

    def _message_id(self) -> str:
        self._message_count += 1
        return f"m{self._message_count}"

    async def _send(self, message: dict[str, Any]) -> None:
        """Sends a message. One with a `messageId` is sent again after a lost connection, until `_answered`; while the
        connection is being taken up again it waits, so that messages keep their order."""
        if self._failure is not None:
            raise self._failure
        text = json.dumps({key: value for key, value in message.items() if value is not None})
        if "messageId" in message:
            self._unanswered[message["messageId"]] = text
            if not self._is_live:
                return
        await self._send_frame(text)

    async def _send_frame(self, frame: str | bytes) -> None:
        try:
            await self._socket.send(frame)
        except ConnectionClosed:
            # The reader notices as well: it resumes the session, or says why not.
            if not self._resume:
                raise loss_of(self._socket) from None

    def _answered(self, message_id: str) -> None:
        self._unanswered.pop(message_id, None)
        self._refused.discard(message_id)

    async def _next(self) -> Item:
        """What came next."""
        while not self._items:
            if self._failure is not None:
                raise self._failure
            self._arrival.clear()
            await self._arrival.wait()
        return self._items.popleft()

    # Reading and resuming.

    def _fail(self, error: ParlorError) -> None:
        self._failure = self._failure or error
        self._arrival.set()

    def _take(self, frame: str | bytes) -> None:
        item = parse_frame(frame)
        if item.seq != self._last_seq + 1:
            raise ProtocolFaultError(f"expected event number {self._last_seq + 1}, got {item.seq}")
        self._last_seq = item.seq
        if isinstance(item, Refusal) and item.message_id is not None:
            self._refused.add(item.message_id)
        if not isinstance(item, Unknown):
            self._items.append(item)
            self._arrival.set()

    async def _read(self) -> None:
        while True:
            try:
                while True:
                    self._take(await self._socket.recv())
                    if self._replaying is not None:
                        self._replaying -= 1
                        await self._go_live()
            except ConnectionClosed:
                pass
            except ProtocolFaultError as error:
                self._fail(error)
                await self._socket.close(1002)
                return
            self._is_live = False
            loss = loss_of(self._socket)
            if self._closing or not self._resume or not may_resume(loss):
                self._fail(loss)
                return
            try:
                await self._reconnect(loss)
            except ParlorError as error:
                self._fail(error)
                return

    async def _reconnect(self, loss: ConnectionLostError) -> None:
        """Takes the session up over a new connection, within the grace period."""
        loop = asyncio.get_running_loop()
        chance = random.Random(self.hello.session)
        deadline = loop.time() + self.hello.grace_ms / 1000
        attempt = 0
        while True:
            delay_s = _BACK_OFF_S[min(attempt, len(_BACK_OFF_S) - 1)]
            await asyncio.sleep(delay_s * (1 - _JITTER * chance.random()))
            attempt += 1
            try:
                socket, hello = await open_socket(self._address)
                await self._take_up(socket, hello)
                return
            except (ConnectionFailedError, ConnectionClosed) as error:
                if loop.time() >= deadline:
                    raise loss from error

    async def _take_up(self, socket: ClientConnection, hello: Hello) -> None:
        resume = {"type": "session.resume", "token": self.hello.resume_token, "lastSeq": self._last_seq}
        await socket.send(json.dumps(resume))
        answer = parse_frame(await socket.recv())
        if isinstance(answer, Refusal):
            if self._episode_runs:
                await socket.close(1000)
                raise ResumeRefusedError(f"the session is gone: {answer.message}")
            # Nothing was under way: a new session is as good.
            self.hello = hello
            self._last_seq = answer.seq
        elif not isinstance(answer, SessionResumed):
            await socket.close(1002)
            raise ProtocolFaultError(f"expected session.resumed, got {str(answer)[:200]}")
        self._socket = socket
        self.resumed += 1
        self._replaying = answer.replayed if isinstance(answer, SessionResumed) else 0
        self._last_taken = answer.last_message_id if isinstance(answer, SessionResumed) else None
        await self._go_live()

    async def _go_live(self) -> None:
        """When everything has come again: sends what the sandbox has neither taken nor refused. It takes messages in the
        order in which they were sent, so the last one that it took tells about all before it."""
        if self._replaying is None or self._replaying > 0:
            return
        self._replaying = None
        ids = list(self._unanswered)
        done = set(ids[: ids.index(self._last_taken) + 1]) if self._last_taken in ids else set()
        done |= self._refused
        # More may be said while this is being sent.
        while waiting := [message_id for message_id in self._unanswered if message_id not in done]:
            done.add(waiting[0])
            await self._socket.send(self._unanswered[waiting[0]])
        self._is_live = True


class Connecting:
    """What `connect` gives: `await` it for a session, or use it with `async with`."""

    def __init__(self, address: Address, *, resume: bool) -> None:
        self._address = address
        self._resume = resume
        self._session: Session | None = None

    async def _open(self) -> Session:
        socket, hello = await open_socket(self._address)
        self._session = Session(self._address, socket, hello, resume=self._resume)
        return self._session

    def __await__(self) -> Generator[Any, None, Session]:
        return self._open().__await__()

    async def __aenter__(self) -> Session:
        return await self._open()

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()


def connect(
    url: str,
    *,
    token: str | None = None,
    ssl: ssl.SSLContext | None = None,
    open_timeout_s: float = 10.0,
    resume: bool = True,
) -> Connecting:
    """Connects to a sandbox: `async with connect("ws://127.0.0.1:8710/v1") as session:`.

    `token`: where the server wants one. `resume`: take the session up again by itself when the connection is lost.
    Raises `ConnectionFailedError` or `ProtocolFaultError`.
    """
    return Connecting(Address(url, token, ssl, open_timeout_s), resume=resume)
