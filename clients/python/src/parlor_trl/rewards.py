"""Reward functions for TRL. A rollout that the platform or the simulated customer broke has no reward: None, which TRL leaves out of the sum."""

from __future__ import annotations

from typing import Any, Sequence

from .environment import verdict_of


def outcome_reward(environments: Sequence[Any], **_: Any) -> list[float | None]:
    """What the verifier says of the whole conversation: 1 or 0, or a fraction where the outcome rule gives one."""
    return [_unless_broken(environment, verdict_of(environment).reward) for environment in environments]


def score_reward(environments: Sequence[Any], **_: Any) -> list[float | None]:
    """The TARL score S = 10 R + 5/T · (sum of verdicts ≥ 0) − 5 · [a verdict is −1]: outcome and turns in one number."""
    return [_unless_broken(environment, verdict_of(environment).score) for environment in environments]


def turn_reward(environments: Sequence[Any], **_: Any) -> list[float | None]:
    """The turn rewards added up (by tier: right calls, mistakes, repetitions), without the outcome."""
    return [
        _unless_broken(environment, sum(turn.reward for turn in verdict_of(environment).turns))
        for environment in environments
    ]


def _unless_broken(environment: Any, value: float | None) -> float | None:
    return value if verdict_of(environment).counts else None
