"""Rollouts with verl against the retail customer, by voice and in writing: one optimisation step of a tiny policy on a CPU.

    npx parlor serve --port 8710                                 in one terminal
    python examples/training/verl_rollout.py http://127.0.0.1:8710

What is verl's own here: the agent loop worker (instantiation by configuration, `_run_agent_loop`, post-processing for the v1 trainer),
its token builders and tool parser, `compute_advantage` and the policy loss. In place of vLLM a policy that speaks at random through the
same client interface; TransferQueue, which carries rows between processes, is replaced by a list. For a real run see docs/training.md.
Exits with 0 when every row is exact and the weights moved.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

os.environ["VERL_USE_EXTERNAL_MODULES"] = "parlor_verl.estimator"

import numpy as np
import parlor_verl
import torch
import transfer_queue
from omegaconf import OmegaConf
from parlor_rollouts import Sandbox, list_tasks, list_tools
from parlor_verl.dataset import ParlorDataset
from tiny import TinyProcessor, qwen_template, tiny_policy, tiny_tokenizer, turn_text
from verl.protocol import DataProto
from verl.trainer.config.config import *  # noqa: F403  (registers verl's configuration classes)
from verl.trainer.ppo import core_algos
from verl.trainer.ppo.v1.agent_loop_tq import AgentLoopWorkerTQ
from verl.trainer.ppo.v1.utils import compute_advantage_for_multi_trajectories
from verl.workers.config import FSDPActorConfig
from verl.workers.rollout.replica import TokenOutput

ROLLOUTS = 2
RESPONSE_LENGTH = 4_096


class RandomEngine:
    """In vLLM's place, behind the interface of verl's `LLMServerClient.generate`. Checks what a real engine could not forgive."""

    def __init__(self, tokenizer: Any, processor: TinyProcessor) -> None:
        self.tokenizer, self.processor = tokenizer, processor
        self.known: dict[str, list[int]] = {}
        self.draws: dict[str, random.Random] = {}
        self.spoken_turns = 0

    async def generate(
        self,
        request_id: str,
        *,
        prompt_ids: list[int],
        sampling_params: dict[str, Any],
        audio_data: list[Any] | None = None,
        **_: Any,
    ) -> TokenOutput:
        before = self.known.get(request_id, [])
        assert prompt_ids[: len(before)] == before, "what was sampled must come back token by token"
        sounds = [self.processor.audio_tokens(len(each)) for each in audio_data or ()]
        assert prompt_ids.count(self.processor.audio_id) == sum(sounds), "a placeholder for every 40 ms of every clip"
        self.spoken_turns += bool(before) and len(sounds) > 1
        draw = self.draws.setdefault(request_id, random.Random(len(self.draws)))
        text = turn_text(draw, False)
        # One token a letter: no tokenizer would cut the text like that, so to encode it again would be noticed.
        ids = [token for letter in text for token in self.tokenizer.encode(letter)] if "<" not in text else self.tokenizer.encode(text)
        ids.append(self.tokenizer.eos_token_id)
        self.known[request_id] = [*prompt_ids, *ids]
        return TokenOutput(token_ids=ids, log_probs=[-1.0] * len(ids), stop_reason="completed")


def settings(url: str, folder: Path) -> Any:
    """verl's settings as `online.yaml` has them, the fields that a worker reads."""
    package = Path(parlor_verl.__file__).parent
    config = OmegaConf.load(package / "online.yaml")
    loops = OmegaConf.load(package / "agent_loops.yaml")
    loops[0].sandbox_url = url
    OmegaConf.save(loops, folder / "agent_loops.yaml")
    config.actor_rollout_ref.rollout.response_length = RESPONSE_LENGTH
    config.actor_rollout_ref.rollout.agent.agent_loop_config_path = str(folder / "agent_loops.yaml")
    return config


def make_worker(config: Any, tokenizer: Any, processor: TinyProcessor, engine: RandomEngine) -> Any:
    """verl's worker without Ray's process around it, and without its loading of a checkpoint."""
    from verl.experimental.agent_loop import agent_loop

    for entry in OmegaConf.load(config.actor_rollout_ref.rollout.agent.agent_loop_config_path):
        agent_loop._agent_loop_registry[entry.name] = entry
    worker = object.__new__(AgentLoopWorkerTQ.__ray_metadata__.modified_class)
    worker.__dict__.update(
        config=config,
        rollout_config=config.actor_rollout_ref.rollout,
        llm_client=engine,
        tokenizer=tokenizer,
        processor=processor,
        hf_model_type="qwen2_5_vl",
        dataset_cls=ParlorDataset,
        mm_processor_kwargs={},
        tools=[],
        distillation_enabled=False,
        reward_loop_worker_handles=None,
    )
    return worker


async def roll_out(worker: Any, rows: list[dict[str, Any]]) -> None:
    sampling = {"temperature": 0.7, "top_p": 0.95, "logprobs": True}
    for place, row in enumerate(rows):
        trajectory = {"step": 0, "sample_index": place, "rollout_n": 0, "validate": False}
        await asyncio.gather(
            *(
                worker._run_agent_loop(
                    dict(sampling), trajectory, trace=False, session_id=session, uid=f"row{place}", global_steps=0, **row
                )
                for session in range(ROLLOUTS)
            )
        )


def main(url: str, folder: Path) -> None:
    sandbox = Sandbox(url)
    # These are evaluation tasks, to show how it is done. Serve tasks made for training and take the split "train".
    rows = parlor_verl.prompt_rows(list_tasks(sandbox)[:2], seed=1, speech_share=0.5)
    parlor_verl.write_prompts(folder / "prompts.jsonl", rows)
    config = settings(url, folder)
    tokenizer = tiny_tokenizer(qwen_template(), [json.dumps(list_tools(sandbox))])
    processor = TinyProcessor(tokenizer)
    engine = RandomEngine(tokenizer, processor)

    stored: list[tuple[str, Any]] = []

    async def keep(keys: list[str], fields: Any, tags: Any, partition_id: str) -> None:
        stored.extend((key, fields[place]) for place, key in enumerate(keys))

    transfer_queue.async_kv_batch_put = keep
    prompts = [{**row, "raw_prompt": row["prompt"], "index": row["extra_info"]["index"]} for row in rows]
    asyncio.run(roll_out(make_worker(config, tokenizer, processor, engine), prompts))
    assert len(stored) == len(rows) * ROLLOUTS
    assert engine.spoken_turns > 0, "sound came in the middle of a rollout"

    stored.sort(key=lambda item: item[0])
    keys = [key for key, _ in stored]
    fields = [row for _, row in stored]
    for key, row in stored:
        sampled = [ids for ids in engine.known.values() if ids[: len(row["input_ids"]) - 1] == row["input_ids"][:-1].tolist()]
        assert sampled, f"{key}: the row is not what the engine saw and sampled"
        print(key, "prompt", len(row["prompts"]), "response", len(row["responses"]), "own", int(row["response_mask"].sum()),
              "reward", round(float(row["rm_scores"].sum()), 3), "turns", row["extra_fields"]["turn_scores"])  # fmt: skip

    def padded(name: str) -> torch.Tensor:
        return torch.nn.utils.rnn.pad_sequence([row[name] for row in fields], batch_first=True)

    # From here on as verl's v1 trainer does it.
    data = DataProto.from_dict(
        tensors={"response_mask": padded("response_mask"), "token_level_rewards": padded("rm_scores")},
        non_tensors={"uid": np.array([key.rsplit("_", 2)[0] for key in keys], dtype=object)},
    )
    algorithm = config.algorithm
    data = compute_advantage_for_multi_trajectories(
        data, batch_keys=keys, adv_estimator=algorithm.adv_estimator, gamma=1.0, lam=1.0, config=algorithm
    )
    advantages, mask = data.batch["advantages"], data.batch["response_mask"]
    assert torch.isfinite(advantages).all() and advantages.abs().sum() > 0
    assert not advantages[mask == 0].any()
    step(tokenizer, fields, advantages, mask)


def step(tokenizer: Any, fields: list[Any], advantages: torch.Tensor, mask: torch.Tensor) -> None:
    """One step of the policy on verl's loss."""
    policy = tiny_policy(tokenizer, seed=3)
    before = [weight.detach().clone() for weight in policy.parameters()]
    optimiser = torch.optim.AdamW(policy.parameters(), lr=1e-3)
    total = 0.0
    for place, row in enumerate(fields):
        length, start = len(row["responses"]), len(row["prompts"])
        ids = torch.tensor(row["input_ids"].tolist())[None]
        logits = policy(input_ids=ids).logits[0, start - 1 : start + length - 1].float()
        log_prob = logits.log_softmax(-1).gather(-1, ids[0, start:, None])[:, 0][None]
        loss, _ = core_algos.compute_policy_loss_vanilla(
            log_prob.detach(), log_prob, advantages[place : place + 1, :length], mask[place : place + 1, :length],
            config=FSDPActorConfig(strategy="fsdp", rollout_n=ROLLOUTS, ppo_micro_batch_size_per_gpu=1, use_dynamic_bsz=True),
        )  # fmt: skip
        loss.backward()
        total += float(loss.detach())
    optimiser.step()
    moved = sum(not weight.detach().equal(old) for weight, old in zip(policy.parameters(), before))
    assert moved, "no weight moved"
    print(f"loss {total:.4f}, {moved} of {len(before)} weights moved")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8710", Path(made))
