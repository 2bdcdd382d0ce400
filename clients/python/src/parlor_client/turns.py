"""What an episode is made of, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Literal, Mapping, Union

from .audio import Audio
from .events import AgentInterrupted, AudioFormat, EpisodeEnd, Mode, Pacing, TurnTaking

AudioListener = Callable[["AudioPiece"], None]
Arguments = Union[Mapping[str, Any], str]
StopReason = Literal["done", "context_limit", "failed", "unavailable"]


@dataclass(frozen=True)
class EpisodeStart:
    """What `episode.start` asks for."""

    task: str
    mode: Mode
    seed: int
    trial: int
    agent: str
    audio: AudioFormat | None
    pacing: Pacing
    window: int | None
    turn_taking: TurnTaking | None = None

    def message(self, message_id: str) -> dict[str, Any]:
        audio = self.audio and {
            "encoding": self.audio.encoding,
            "sampleRateHz": self.audio.sample_rate_hz,
            "transport": self.audio.transport,
            "frameMs": self.audio.frame_ms,
        }
        return {
            **{"type": "episode.start", "task": self.task, "mode": self.mode, "seed": self.seed, "trial": self.trial},
            **{"agent": self.agent, "audio": audio, "pacing": self.pacing, "window": self.window},
            "turnTaking": self.turn_taking,
            "messageId": message_id,
        }


@dataclass(frozen=True)
class AudioPiece:
    """Sound as it comes. `sample_offset`: samples of the customer before it, in this episode."""

    utterance: int
    sample_offset: int
    audio: Audio


@dataclass(frozen=True)
class Utterance:
    """What the customer said in one go: text or audio. `interrupted`: the agent broke in."""

    turn: int
    utterance: int
    text: str | None
    audio: Audio | None
    interrupted: bool
    final: bool


@dataclass(frozen=True)
class Reply:
    """What came of the agent's words. `customer` is None when nobody answers any more; `end` is set when the episode is over.
    With turn-taking, `broke_in`: the customer did not let the agent finish; `asides`: what it said beside its line."""

    customer: Utterance | None
    end: EpisodeEnd | None
    broke_in: AgentInterrupted | None = None
    asides: tuple[Utterance, ...] = ()


@dataclass(frozen=True)
class Call:
    """A tool call. `call_id` is made up when it is not given; a repeated one gets the first answer again."""

    name: str
    arguments: Arguments
    call_id: str | None = None
