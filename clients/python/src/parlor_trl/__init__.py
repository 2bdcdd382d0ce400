"""Parlor for TRL's GRPOTrainer: tools as methods, rewards, prompts.

    sandbox = Sandbox("http://127.0.0.1:8710")
    GRPOTrainer(
        model=…, args=…, environment_factory=retail_environment(sandbox), reward_funcs=[score_reward],
        train_dataset=Dataset.from_list(prompt_rows(sandbox, list_tasks(sandbox), seed=1)),
    )

Needs trl 1.16 or a later one with the same `environment_factory`; nothing of it is imported here.
"""

from parlor_rollouts import Sandbox, list_tasks

from .environment import RetailEnvironment, retail_environment, verdict_of
from .prompts import prompt_rows
from .rewards import outcome_reward, score_reward, turn_reward

__all__ = [
    "RetailEnvironment",
    "Sandbox",
    "list_tasks",
    "outcome_reward",
    "prompt_rows",
    "retail_environment",
    "score_reward",
    "turn_reward",
    "verdict_of",
]
