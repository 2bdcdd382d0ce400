"""Groups of rollouts for online training: many conversations with Parlor's customers at once, one policy, rewards at the end.

    async def policy(waiting):                       # all conversations that wait for an answer
        return [Say("Hello! How can I help?") for live in waiting]

    async for group in rollout_groups(Sandbox("http://127.0.0.1:8710"), tasks, policy, BatchOptions(rollouts=4)):
        print(group.task, group.rewards)

`parlor_rollouts.blocking` has the same without `async`. What is under it: docs/openenv.md and docs/training.md of Parlor.
"""

from .actions import Action, Feedback, HangUp, Mode, Opening, Say, TurnReward, UseTool, Verdict
from .environment import Environment, Sandbox, ToolSchema
from .frames import EnvironmentRefusedError
from .groups import BatchOptions, rollout_groups
from .policy import Policy, each
from .posted import cancel_rollout, finish_rollout, get_rollout, post_rollouts
from .rollout import Failure, Group, Live, Rollout, Step
from .seeds import derive_seed
from .tasks import list_tasks, list_tools

__all__ = [
    "Action",
    "BatchOptions",
    "Environment",
    "EnvironmentRefusedError",
    "Failure",
    "Feedback",
    "Group",
    "HangUp",
    "Live",
    "Mode",
    "Opening",
    "Policy",
    "Rollout",
    "Sandbox",
    "Say",
    "Step",
    "ToolSchema",
    "TurnReward",
    "UseTool",
    "Verdict",
    "cancel_rollout",
    "derive_seed",
    "each",
    "finish_rollout",
    "get_rollout",
    "list_tasks",
    "list_tools",
    "post_rollouts",
    "rollout_groups",
]
