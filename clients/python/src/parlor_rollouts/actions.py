"""What an agent does, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Mapping, Sequence, Union

from parlor_client import Audio

Mode = Literal["text", "speech"]


@dataclass(frozen=True)
class Say:
    """Says something to the customer. `note` is the caller's own (token ids, log-probabilities): it stays with the step."""

    text: str
    note: Any = None


@dataclass(frozen=True)
class UseTool:
    """Uses a tool of the shop. `arguments` may be the text that a model wrote, well-formed or not."""

    name: str
    arguments: Mapping[str, Any] | str
    note: Any = None


@dataclass(frozen=True)
class HangUp:
    """Ends the conversation."""

    note: Any = None


Action = Union[Say, UseTool, HangUp]


@dataclass(frozen=True)
class TurnReward:
    """What one turn of the agent was worth. `reward`: by its tier; `verdict`: 1, 0, -1 by the judge; `verdict_reward`: what
    that adds to the TARL score. A verdict that is missing is None, never 0."""

    turn: int
    reward: float
    verdict: float | None
    verdict_reward: float | None


@dataclass(frozen=True)
class Verdict:
    """How an episode ended. `reward` is None when the platform failed or nothing could be verified: no reward, not 0.

    `score` is the TARL score (10 R + 5/T · verdicts − 5 · [a −1]); None where it was not judged. `source` names table, judge
    and their hash. `turn` is the last turn on the record.
    """

    reward: float | None
    reason: str
    owner: str
    success: bool | None
    turn: int
    turns: Sequence[TurnReward]
    score: float | None
    source: Mapping[str, Any] | None
    record: str

    @property
    def counts(self) -> bool:
        """False: the platform or the simulated customer failed, which says nothing about the agent. Leave it out."""
        return self.reward is not None and self.reason != "customer_failed"


@dataclass(frozen=True)
class Opening:
    """The start of an episode: what the customer said first, in text or sound, and the shop's rules."""

    text: str
    audio: Audio | None
    policy: str
    task: str
    end: Verdict | None


@dataclass(frozen=True)
class Feedback:
    """What came of one action. `speaker` is "customer", "tool" or "sandbox" (the action was not taken, or the end came).

    `turn` is None where the action was no turn of the record: what was refused, and hanging up.
    """

    speaker: Literal["customer", "tool", "sandbox"]
    text: str
    audio: Audio | None
    failed: bool
    turn: int | None
    end: Verdict | None
