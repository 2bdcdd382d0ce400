"""Rows for verl's `data.train_files`, straight from a sandbox. What the customer says is not in them: the loop hears it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterable

from parlor_rollouts import derive_seed
from parlor_rollouts.seeds import speaks


def prompt_rows(
    tasks: Iterable[str], *, seed: int = 0, speech_share: float = 0.0, split: str = "train"
) -> list[dict[str, Any]]:
    """A row for each task; verl repeats it `rollout.n` times, and all of these meet the same customer."""
    return [
        {
            "data_source": "parlor-retail",
            "agent_name": "parlor",
            "prompt": [{"role": "user", "content": "(the customer speaks first)"}],
            "ability": "tool-use",
            "reward_model": {"style": "rule", "ground_truth": task},
            "extra_info": {
                **{"index": place, "split": split, "task": task, "need_tools_kwargs": False},
                "seed": derive_seed(seed, "customer", place),
                "mode": "speech" if speaks(speech_share, place) else "text",
            },
        }
        for place, task in enumerate(tasks)
    ]


def write_prompts(path: str | Path, rows: Iterable[dict[str, Any]]) -> None:
    """As JSON lines, which verl reads."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
