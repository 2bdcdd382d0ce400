"""Rows for `train_dataset`."""

from __future__ import annotations

from typing import Any, Iterable

from parlor_rollouts import Sandbox, blocking, derive_seed


def prompt_rows(sandbox: Sandbox, tasks: Iterable[str], *, seed: int = 0, rules: str = "") -> list[dict[str, Any]]:
    """A row for each task: `datasets.Dataset.from_list(prompt_rows(…))`.

    TRL repeats a row for the rollouts of a group and hands `task_id` and `seed` to `reset`, so all of them meet the same customer.
    `rules` is put behind the shop's policy in the system message.
    """
    names = list(tasks)
    if not names:
        return []
    environment = blocking.Environment(sandbox)
    try:
        policy = environment.reset(names[0], seed=0).policy
    finally:
        environment.close()
    speak = "Everything you tell the customer goes through respond_to_user. Call done when the request is handled."
    system = "\n\n".join(part for part in (policy, speak, rules) if part)
    prompt = [{"role": "system", "content": system}, {"role": "user", "content": ""}]
    return [
        {"prompt": prompt, "task_id": task, "seed": derive_seed(seed, "customer", place)}
        for place, task in enumerate(names)
    ]
