"""Advantage estimators for verl that see turns: import this module where the trainer runs.

verl gives an estimator a reward for each token and nothing else of a rollout. So the agent loop (placement "turns") lays each turn's
reward on the turn's last token and the outcome on a closing token that is not the agent's; here they are taken apart again.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import torch
from verl.trainer.ppo.core_algos import register_adv_est

from .advantages import FORMULAS, Episode, Options


def turn_ends(mask: "torch.Tensor") -> list[int]:
    """Places of the last token of each run of agent tokens."""
    row = mask.tolist()
    return [place for place, own in enumerate(row) if own and (place + 1 == len(row) or not row[place + 1])]


def take_apart(rewards: "torch.Tensor", mask: "torch.Tensor") -> tuple[Episode, list[int]]:
    """One rollout's turn rewards and outcome. What lies on tokens that are not the agent's is the outcome."""
    ends = turn_ends(mask)
    own = mask.bool()
    values = rewards.double()
    starts = [0, *(end + 1 for end in ends[:-1])]
    turns = [float(values[start : end + 1][own[start : end + 1]].sum()) for start, end in zip(starts, ends)]
    return Episode(float(values[~own].sum()), turns), ends


def _options(config: Any) -> Options:
    """From `algorithm.parlor`, e.g. `+algorithm.parlor.gamma=0.9`; absent fields take the formula's defaults."""
    given = config.get("parlor", None) if config is not None and hasattr(config, "get") else None
    return Options(**dict(given)) if given else Options()


def _estimator(name: str) -> Callable[..., tuple["torch.Tensor", "torch.Tensor"]]:
    formula = FORMULAS[name]

    def estimate(
        token_level_rewards: "torch.Tensor", response_mask: "torch.Tensor", index: Any, config: Any = None, **_: Any
    ) -> tuple["torch.Tensor", "torch.Tensor"]:
        """Shapes (rollouts, tokens). `index`: the group of each rollout (verl's uid). The turn's advantage lies on each of its tokens."""
        taken = [take_apart(rewards, mask) for rewards, mask in zip(token_level_rewards.cpu(), response_mask.cpu())]
        rows: dict[Any, list[int]] = {}
        for row, group in enumerate(np.asarray(index).tolist()):
            rows.setdefault(group, []).append(row)
        turns = formula([[taken[row][0] for row in members] for members in rows.values()], _options(config))
        advantages = torch.zeros_like(token_level_rewards)
        for members, group in zip(rows.values(), turns):
            for row, values in zip(members, group):
                start = 0
                for end, value in zip(taken[row][1], values):
                    advantages[row, start : end + 1] = value
                    start = end + 1
        advantages = advantages * response_mask
        return advantages, advantages.clone()

    estimate.__name__ = f"parlor_{name.replace('-', '_')}"
    return estimate


#: Names for `algorithm.adv_estimator`.
ESTIMATORS = {f"parlor_{name.replace('-', '_')}": _estimator(name) for name in FORMULAS}
for _name, _function in ESTIMATORS.items():
    register_adv_est(_name)(_function)
