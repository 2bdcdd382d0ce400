"""Parlor for verl 0.9: an agent loop whose customer speaks, a dataset that reads its clips, advantages per turn.

- `parlor_verl.agent_loop.ParlorAgentLoop`, by `agent_loops.yaml`
- `parlor_verl.estimator` registers `parlor_grpo`, `parlor_mt_grpo`, `parlor_gtpo` and `parlor_hybrid`
- `parlor_verl.dataset.ParlorDataset`, by `data.custom_cls`
- `online.yaml` has the settings

Those import verl; what is here does not.
"""

from .advantages import FORMULAS, Episode, Options, gtpo, grpo, hybrid, mt_grpo
from .prompts import prompt_rows, write_prompts

__all__ = [
    "FORMULAS",
    "Episode",
    "Options",
    "grpo",
    "gtpo",
    "hybrid",
    "mt_grpo",
    "prompt_rows",
    "write_prompts",
]
