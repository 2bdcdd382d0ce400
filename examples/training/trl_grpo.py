"""GRPO with TRL against the retail customer: two steps of a tiny policy on a CPU, through the real GRPOTrainer.

    npx parlor serve --mode text --port 8710                     in one terminal
    python examples/training/trl_grpo.py http://127.0.0.1:8710

Needs `pip install "./clients/python[trl]"`. For a model of your own give its name as `model` and leave `processing_class` out.
Exits with 0 when the rollouts were rewarded and the weights moved.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import trl
from datasets import Dataset
from parlor_trl import Sandbox, list_tasks, outcome_reward, prompt_rows, retail_environment, score_reward, turn_reward
from parlor_rollouts import list_tools
from tiny import tiny_policy, tiny_tokenizer
from trl import GRPOConfig, GRPOTrainer

GENERATIONS = 4


def main(url: str = "http://127.0.0.1:8710") -> None:
    sandbox = Sandbox(url)
    # These are evaluation tasks, to show how it is done. Serve tasks made for training and take the split "train".
    tasks = list_tasks(sandbox)[:2]
    template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    rows = prompt_rows(sandbox, tasks, seed=1)
    tokenizer = tiny_tokenizer(template, [rows[0]["prompt"][0]["content"], json.dumps(list_tools(sandbox))])
    policy = tiny_policy(tokenizer, seed=3)
    before = {name: weight.detach().clone() for name, weight in policy.named_parameters()}
    with tempfile.TemporaryDirectory() as folder:
        args = GRPOConfig(
            output_dir=folder,
            per_device_train_batch_size=GENERATIONS,
            num_generations=GENERATIONS,
            max_steps=2,
            learning_rate=1e-3,
            max_completion_length=16_000,
            max_tool_calling_iterations=6,
            reward_weights=[1.0, 0.1, 0.1],
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
            seed=3,
        )
        trainer = GRPOTrainer(
            model=policy,
            processing_class=tokenizer,
            args=args,
            train_dataset=Dataset.from_list(rows),
            environment_factory=retail_environment(sandbox),
            reward_funcs=[outcome_reward, score_reward, turn_reward],
        )
        trainer.train()
    steps = [entry for entry in trainer.state.log_history if "reward" in entry]
    for entry in steps:
        print({key: round(value, 4) for key, value in entry.items() if key.startswith(("reward", "tools", "loss"))})
    assert len(steps) == 2 and all(entry["tools/call_frequency"] >= 1 for entry in steps)
    # A group whose rollouts are worth the same teaches nothing; of two at least one differs.
    assert any(entry["reward_std"] > 0 for entry in steps), steps
    moved = [name for name, weight in policy.named_parameters() if not weight.detach().equal(before[name])]
    assert moved, "no weight moved"
    print(f"{len(steps)} steps, {len(moved)} of {len(before)} weights moved")


if __name__ == "__main__":
    main(*sys.argv[1:2])
