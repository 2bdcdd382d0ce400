"""What the agent loop hands to verl: its `AgentLoopOutput`, with a reward for each turn where verl has room for one."""

from __future__ import annotations

from typing import Any, Literal, Optional

import torch
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput

#: Where rewards lie. "episode": one number on the last token, as in stock verl (GRPO). "turns": each turn's reward on its last token and
#: the outcome on the closing token, for the estimators of this package. "gae": the outcome on the last agent token too, for PPO.
Placement = Literal["episode", "turns", "gae"]


class TurnOutput(AgentLoopOutput):  # type: ignore[misc]
    """`token_rewards`: one number for each response token; None leaves verl's own placement of `reward_score`."""

    token_rewards: Optional[list[float]] = None

    def as_dict(self) -> dict[str, Any]:
        """As verl's; called by its v1 trainer (`trainer.use_v1`, the default), which sums `rm_scores` for its metrics."""
        output: dict[str, Any] = super().as_dict()
        output.pop("token_rewards", None)
        if self.token_rewards is not None:
            output["rm_scores"] = torch.tensor(self.token_rewards, dtype=torch.float32)
        return output
