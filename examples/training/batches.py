"""A training loop of one's own: a policy of six numbers learns from groups of rollouts, with an advantage for every turn.

    npx parlor serve --mode text --port 8710                     in one terminal
    python examples/training/batches.py http://127.0.0.1:8710

Needs `pip install ./clients/python` and nothing else. Exits with 0 when the groups came and the policy changed.
"""

from __future__ import annotations

import asyncio
import math
import random
import sys
from contextlib import aclosing
from typing import Sequence

from parlor_rollouts import Action, BatchOptions, HangUp, Live, Sandbox, Say, UseTool, list_tasks, rollout_groups
from parlor_verl import Episode, Options, hybrid

CHOICES: list[Action] = [
    Say("Hello! May I have your name and zip code?"),
    Say("Is there anything else that I can do for you?"),
    UseTool("get_order_details", {"order_id": "#W0000000"}),
    UseTool("calculate", {"expression": "2 + 2"}),
    UseTool("no_such_tool", {}),
    HangUp(),
]
MOST_TURNS = 6
LEARNING_RATE = 0.5


class Policy:
    """A softmax over six things to do, whatever was heard."""

    def __init__(self) -> None:
        self.logits = [0.0] * len(CHOICES)

    def shares(self) -> list[float]:
        weights = [math.exp(logit - max(self.logits)) for logit in self.logits]
        return [weight / sum(weights) for weight in weights]

    async def __call__(self, waiting: Sequence[Live]) -> list[Action]:
        return [self._choose(live) for live in waiting]

    def _choose(self, live: Live) -> Action:
        if len(live.steps) >= MOST_TURNS:
            return HangUp()
        draw = random.Random(f"{live.policy_seed}/{len(live.steps)}")
        (chosen,) = draw.choices(CHOICES, self.shares())
        return chosen

    def learn(self, action: Action, advantage: float) -> None:
        """REINFORCE: the gradient of log softmax, times the advantage."""
        for place, share in enumerate(self.shares()):
            self.logits[place] += LEARNING_RATE * advantage * ((CHOICES[place] == action) - share)


async def main(url: str) -> None:
    sandbox = Sandbox(url)
    policy = Policy()
    options = BatchOptions(rollouts=4, seed=1, concurrency=16, ahead=1)
    # These are evaluation tasks, to show how it is done. Serve tasks made for training and take the split "train".
    async with aclosing(rollout_groups(sandbox, list_tasks(sandbox)[:4], policy, options)) as groups:
        count = 0
        async for group in groups:
            turns = [[step for step in rollout.steps if step.reward] for rollout in group.rollouts]
            rewards = [[step.reward.reward for step in steps if step.reward] for steps in turns]
            batch = [Episode(rollout.reward, own) for rollout, own in zip(group.rollouts, rewards)]
            for steps, values in zip(turns, hybrid([batch], Options(gamma=0.9))[0]):
                for step, advantage in zip(steps, values):
                    policy.learn(step.action, advantage)
            count += 1
            print(f"{group.task}: outcomes {group.rewards}, turn rewards {[round(sum(own), 2) for own in rewards]}")
    before, after = 1 / len(CHOICES), policy.shares()[4]
    assert any(policy.logits) and after < before, "a tool that does not exist never pays"
    print(f"learnt from {count} groups; calls of a tool that does not exist: {before:.0%} before, {after:.0%} after")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8710"))
