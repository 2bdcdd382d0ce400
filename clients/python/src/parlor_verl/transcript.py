"""Token ids of one conversation as they grow: what the engine sampled, and the tokens of what came between. Never re-tokenised."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Sequence


@dataclass
class Turn:
    """One message of the model in the response: its tokens are `start` to `end - 1`; `record` are its turns on the record."""

    start: int
    end: int
    record: list[int] = field(default_factory=list)


def lay_rewards(
    length: int, turns: Sequence[Turn], rewards: dict[int, float], outcome: float, *, outcome_at: int
) -> list[float]:
    """A reward for each of `length` response tokens. Turns that were cut off give theirs to the last token that is left."""
    laid = [0.0] * length
    for turn in turns:
        own = sum(rewards.get(number, 0.0) for number in turn.record)
        if turn.start < length:
            laid[min(turn.end, length) - 1] += own
    if length:
        laid[outcome_at] += outcome
    return laid
