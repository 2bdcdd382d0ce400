"""Advantages per turn from turn rewards and outcomes: the formulas of Parlor's `src/scoring/advantages`, in plain Python.

A batch is a list of groups, a group a list of `Episode`s of one task. Sources: GRPO as in TARL (arXiv 2509.14480, equation 5),
MT-GRPO (2505.11821), GTPO (2511.14846), hybrid (2604.02869, equation 2). A test holds them against the TypeScript ones to 1e-9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Literal, Mapping, Sequence

Pooling = Literal["position", "position-padded", "group", "batch"]
OutcomePlace = Literal["after-last-turn", "on-last-turn", "instead-of-last-turn"]
Scale = Literal["deviation", "none"]

#: Differences below this share of the batch's largest value are rounding, not spread.
_RELATIVE_SPREAD = 1e-12


@dataclass(frozen=True)
class Episode:
    """`outcome`: one number for the whole; `turns`: one for each turn, without the outcome."""

    outcome: float
    turns: Sequence[float]


Groups = Sequence[Sequence[Episode]]
#: Group, episode, turn.
TurnValues = list[list[list[float]]]


@dataclass(frozen=True)
class Options:
    """None: the default of the formula. `epsilon` is added to the deviation; pools of one value give 0."""

    gamma: float | None = None
    weight: float | None = None
    pooling: Pooling | None = None
    outcome_place: OutcomePlace | None = None
    epsilon: float = 1e-6
    scale: Scale = "deviation"


def _normalise(values: Sequence[float], pools: Sequence[int], options: Options, absent: Mapping[int, int]) -> list[float]:
    """(x - mean) / (deviation + epsilon) inside each pool; divisor N - 1. `absent`: zeros that count with a pool."""
    members: dict[int, list[float]] = {}
    for value, pool in zip(values, pools):
        members.setdefault(pool, []).append(value)
    largest = max((abs(value) for value in values), default=0.0)
    facts: dict[int, tuple[float, float] | None] = {}
    for pool, own in members.items():
        zeros = absent.get(pool, 0)
        size = len(own) + zeros
        low, high = min(own), max(own)
        if zeros:
            low, high = min(low, 0.0), max(high, 0.0)
        mean = sum(own) / size
        squares = zeros * mean**2 + sum((value - mean) ** 2 for value in own)
        spread = high - low > _RELATIVE_SPREAD * largest
        facts[pool] = (mean, math.sqrt(squares / max(1, size - 1))) if spread else None
    result: list[float] = []
    for value, pool in zip(values, pools):
        fact = facts[pool]
        if fact is None:
            result.append(0.0)
        else:
            divisor = fact[1] + options.epsilon if options.scale == "deviation" else 1.0
            result.append((value - fact[0]) / divisor)
    return result


def episode_advantages(groups: Groups, options: Options = Options()) -> list[list[float]]:
    """GRPO: (S - mean) / (deviation + epsilon) of the outcomes in each group."""
    result: list[list[float]] = []
    # Of all groups at once, because what counts as spread is measured by the batch's largest value.
    values = [episode.outcome for group in groups for episode in group]
    pools = [place for place, group in enumerate(groups) for _ in group]
    normal = iter(_normalise(values, pools, options, {}))
    for group in groups:
        result.append([next(normal) for _ in group])
    return result


def _pools(groups: Groups, pooling: Pooling) -> tuple[list[int], dict[int, int]]:
    pools: list[int] = []
    absent: dict[int, int] = {}
    base = 0
    for number, group in enumerate(groups):
        longest = max((len(episode.turns) for episode in group), default=0)
        for episode in group:
            for place in range(len(episode.turns)):
                pools.append(0 if pooling == "batch" else number if pooling == "group" else base + place)
        if pooling == "position-padded":
            for place in range(longest):
                absent[base + place] = sum(len(episode.turns) <= place for episode in group)
        base += longest
    return pools, absent


def _normalise_turns(values: TurnValues, groups: Groups, options: Options, pooling: Pooling) -> TurnValues:
    pools, absent = _pools(groups, pooling)
    flat = [value for group in values for episode in group for value in episode]
    normal = iter(_normalise(flat, pools, options, absent))
    return [[[next(normal) for _ in episode] for episode in group] for group in values]


def _to_go(steps: Sequence[float], end: float, gamma: float, place: OutcomePlace) -> list[float]:
    """Discounted sums from each turn to the end, the outcome included."""
    if not steps:
        return []
    last = {"after-last-turn": steps[-1] + gamma * end, "on-last-turn": steps[-1] + end, "instead-of-last-turn": end}[place]
    sums = [last]
    for step in reversed(steps[:-1]):
        sums.append(step + gamma * sums[-1])
    return sums[::-1]


def grpo(groups: Groups, options: Options = Options()) -> TurnValues:
    """The same advantage on every turn of an episode; turn rewards are not read."""
    episodes = episode_advantages(groups, options)
    return [
        [[value] * len(episode.turns) for episode, value in zip(group, values)] for group, values in zip(groups, episodes)
    ]


def mt_grpo(groups: Groups, options: Options = Options()) -> TurnValues:
    """A_k = sum over l >= k of gamma^(l-k) A^I_l, plus gamma^(K-k) A^O. Defaults: gamma 1, pooling "position"."""
    gamma = 1.0 if options.gamma is None else options.gamma
    rewards = [[list(episode.turns) for episode in group] for group in groups]
    inner = _normalise_turns(rewards, groups, options, options.pooling or "position")
    outcomes = episode_advantages(groups, options)
    place = options.outcome_place or "after-last-turn"
    return [
        [_to_go(steps, end, gamma, place) for steps, end in zip(group, ends)] for group, ends in zip(inner, outcomes)
    ]


def gtpo(groups: Groups, options: Options = Options()) -> TurnValues:
    """Discounted returns per turn, normalised. Defaults: gamma 0.9, pooling "batch", outcome on the last turn."""
    gamma = 0.9 if options.gamma is None else options.gamma
    place = options.outcome_place or "on-last-turn"
    returns = [[_to_go(list(e.turns), e.outcome, gamma, place) for e in group] for group in groups]
    return _normalise_turns(returns, groups, options, options.pooling or "batch")


def hybrid(groups: Groups, options: Options = Options()) -> TurnValues:
    """Normalised returns plus weight * A^O. Defaults: gamma 0.9, weight (lambda) 0.3, pooling "group", outcome after the last turn."""
    weight = 0.3 if options.weight is None else options.weight
    pooling, place = options.pooling or "group", options.outcome_place or "after-last-turn"
    inner = gtpo(groups, Options(options.gamma, None, pooling, place, options.epsilon, options.scale))
    outcomes = episode_advantages(groups, options)
    return [
        [[value + weight * end for value in turns] for turns, end in zip(group, ends)]
        for group, ends in zip(inner, outcomes)
    ]


Formula = Callable[[Groups, Options], TurnValues]
FORMULAS: Mapping[str, Formula] = {"grpo": grpo, "mt-grpo": mt_grpo, "gtpo": gtpo, "hybrid": hybrid}
