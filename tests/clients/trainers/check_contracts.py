"""What the trainers' own code says of ours. Usage: run.py check_contracts.py URL VECTORS DATASET"""

import inspect
import json
import os
import sys

os.environ["VERL_USE_EXTERNAL_MODULES"] = "parlor_verl.estimator"

import torch
from omegaconf import OmegaConf
from parlor_rollouts import Sandbox, list_tools
from parlor_trl import retail_environment
from transformers.utils import get_json_schema

url, vectors, dataset = sys.argv[1:4]


def check_tools():
    """transformers, which TRL asks, reads from our methods what the sandbox says of its tools."""
    made = retail_environment(Sandbox(url))
    environment = made()
    # As TRL finds them.
    names = [name for name, _ in inspect.getmembers(made, predicate=inspect.isfunction) if name[0] != "_" and name != "reset"]
    tools = {tool["function"]["name"]: tool["function"] for tool in list_tools(Sandbox(url))}
    assert set(names) == set(tools), set(names) ^ set(tools)
    for name in names:
        read = get_json_schema(getattr(environment, name))["function"]
        wanted = tools[name]["parameters"]
        assert read["description"] == " ".join(tools[name]["description"].split())
        assert set(read["parameters"].get("required", [])) == set(wanted.get("required", []))
        assert set(read["parameters"]["properties"]) == set(wanted.get("properties", {}))
        for each, schema in wanted.get("properties", {}).items():
            mine = read["parameters"]["properties"][each]
            assert mine["type"] == schema["type"], (name, each, mine, schema)
            assert mine.get("enum") == schema.get("enum"), (name, each, mine, schema)
            if schema["type"] == "array":
                assert mine["items"]["type"] == schema["items"]["type"], (name, each, mine, schema)
    return len(names)


def check_estimators():
    """What verl's registry gives, on token tensors, is what Parlor's scoring says of the turns."""
    from verl.trainer.ppo.core_algos import get_adv_estimator_fn

    compared = 0
    with open(vectors) as file:
        cases = json.load(file)
    for number, case in enumerate(cases):
        rows = [episode for group in case["groups"] for episode in group]
        if not rows:
            continue
        uids = [f"g{place}" for place, group in enumerate(case["groups"]) for _ in group]
        # Turns of one to three tokens with one to two of others between, padded; the outcome on a closing token.
        layouts = []
        for row in rows:
            mask, rewards, ends = [0], [0.0], []
            for place, reward in enumerate(row["turns"]):
                own = 1 + (number + place) % 3
                mask += [1] * own + [0] * (1 + place % 2)
                rewards += [0.0] * (own - 1) + [reward] + [0.0] * (1 + place % 2)
                ends.append(len(mask) - 2 - place % 2)
            layouts.append((mask + [0], rewards + [row["outcome"]], ends))
        width = max(len(mask) for mask, _, _ in layouts) + 2
        mask = torch.tensor([each + [0] * (width - len(each)) for each, _, _ in layouts])
        rewards = torch.tensor([each + [0.0] * (width - len(each)) for _, each, _ in layouts], dtype=torch.float64)
        config = OmegaConf.create({"parlor": case["options"]})
        estimate = get_adv_estimator_fn(f"parlor_{case['name'].replace('-', '_')}")
        advantages, returns = estimate(token_level_rewards=rewards, response_mask=mask, index=uids, config=config)
        assert advantages.shape == rewards.shape and torch.equal(advantages, returns)
        assert not advantages[mask == 0].any()
        wanted = [values for group in case["advantages"] for values in group]
        for row, (_, _, ends) in enumerate(layouts):
            for end, value in zip(ends, wanted[row], strict=True):
                assert abs(float(advantages[row, end]) - value) < 1e-9, (number, case["name"], row)
                compared += 1
    return compared


def check_dataset():
    """verl's dataset with our class in it: rows of an export load, and their clips are samples."""
    import asyncio
    import glob
    import types

    from verl.utils.dataset.rl_dataset import get_dataset_class

    config = OmegaConf.create({"custom_cls": {"path": "pkg://parlor_verl.dataset", "name": "ParlorDataset"}})
    kind = get_dataset_class(config)
    files = glob.glob(f"{dataset}/verl/train-*.parquet")
    settings = OmegaConf.create({"filter_overlong_prompts": False})
    rows = kind(files, tokenizer=types.SimpleNamespace(), processor=object(), config=settings)
    spoken = 0
    for place in range(len(rows)):
        row = rows[place]
        _, _, audios = asyncio.run(kind.process_multi_modal_info(row["raw_prompt"], image_patch_size=14, config=config))
        assert (audios is not None) == (row["extra_info"]["mode"] == "speech")
        for samples in audios or ():
            assert samples.dtype == "float32" and len(samples) >= 1_600 and 0.01 < abs(samples).max() <= 1
            spoken += 1
    assert spoken
    return len(rows)


report = {name[6:]: check() for name, check in list(globals().items()) if name.startswith("check_")}
print(json.dumps(report))
