"""What comes in during one episode: events in their order, put together to utterances."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, TypeVar, overload

from .audio import Audio, AudioFrame
from .errors import EpisodeOverError, InterventionError, MessageRefusedError, ProtocolFaultError
from .events import (
    AudioFormat,
    CustomerAudio,
    CustomerEnd,
    CustomerStart,
    CustomerText,
    EpisodeEnd,
    Intervention,
    Refusal,
)
from .turns import AudioListener, AudioPiece, Utterance

if TYPE_CHECKING:
    from .session import Item, Session

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")


class Inbox:
    """The incoming half of an episode."""

    def __init__(self, session: Session, *, window: int | None, on_audio: AudioListener | None) -> None:
        self._session = session
        self._window = window
        self._on_audio = on_audio
        self._unacknowledged = 0
        #: As granted.
        self.audio = AudioFormat()
        #: How the episode ended.
        self.end: EpisodeEnd | None = None
        #: The last turn that is complete.
        self.turn = 0
        #: The utterance that is coming in.
        self.speaking: CustomerStart | None = None

    @overload
    async def expect(self, a: type[A], /) -> A: ...
    @overload
    async def expect(self, a: type[A], b: type[B], /) -> A | B: ...
    @overload
    async def expect(self, a: type[A], b: type[B], c: type[C], /) -> A | B | C: ...
    @overload
    async def expect(self, a: type[A], b: type[B], c: type[C], d: type[D], /) -> A | B | C | D: ...
    async def expect(self, *wanted: type[Any]) -> Any:
        """The next event, of one of the wanted types; the end of the episode is always noted."""
        while True:
            item = await self._session._next()
            if isinstance(item, EpisodeEnd):
                self.end = item
                self._session._episode_runs = False
                if EpisodeEnd not in wanted:
                    raise EpisodeOverError(item)
            if isinstance(item, wanted):
                return item
            if isinstance(item, Intervention):
                raise InterventionError(item.count, item.message)
            if isinstance(item, Refusal):
                if self._is_late(item):
                    continue
                raise MessageRefusedError(item.code, item.message)
            names = " or ".join(one.__name__ for one in wanted)
            raise ProtocolFaultError(f"expected {names}, got {str(item)[:200]}")

    def _is_late(self, refusal: Refusal) -> bool:
        """Refused because something else had ended what it was meant for: that tells the caller nothing."""
        if refusal.message_id is not None:
            return refusal.message_id not in self._session._unanswered
        # An interrupt after the utterance, a piece of speech after the episode.
        return refusal.code in ("stale_turn", "no_episode")

    async def hear(self, start: CustomerStart) -> Utterance:
        """Everything up to the end of one utterance."""
        self.speaking = start
        texts: list[str] = []
        pieces: list[bytes] = []
        try:
            while True:
                item = await self.expect(CustomerText, CustomerAudio, AudioFrame, CustomerEnd)
                if isinstance(item, CustomerText):
                    texts.append(item.text)
                elif isinstance(item, CustomerEnd):
                    return self._heard(item, texts, pieces)
                else:
                    data = item.data if isinstance(item, AudioFrame) else base64.b64decode(item.data)
                    pieces.append(data)
                    if self._on_audio is not None:
                        self._on_audio(AudioPiece(item.utterance, item.sample_offset, self._clip(data)))
                    await self._acknowledge(item, len(data))
        finally:
            self.speaking = None

    def _heard(self, end: CustomerEnd, texts: list[str], pieces: list[bytes]) -> Utterance:
        audio = self._clip(b"".join(pieces)) if pieces else None
        if (0 if audio is None else len(audio)) != end.samples:
            raise ProtocolFaultError(f"utterance {end.utterance} should have {end.samples} samples; got {audio}")
        self.turn = end.turn
        text = "".join(texts) if texts else None
        return Utterance(end.turn, end.utterance, text, audio, end.interrupted, end.final)

    def _clip(self, data: bytes) -> Audio:
        return Audio(data, self.audio.encoding, self.audio.sample_rate_hz)

    async def _acknowledge(self, item: Item, size: int) -> None:
        window = self._window
        if window is None:
            return
        self._unacknowledged += size
        if self._unacknowledged * 4 >= window:
            self._unacknowledged = 0
            await self._session._send({"type": "ack", "seq": item.seq})
