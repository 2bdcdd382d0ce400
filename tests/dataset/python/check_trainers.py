"""Loads an exported dataset with the trainers' own data classes. Usage: check_trainers.py DATASET

Real: verl's RLHFDataset, LLaMA-Factory's dataset list and converter, ms-swift's preprocessor, TRL's data functions,
verifiers' trace, OpenEnv's training trace, OpenAI's response for NeMo Gym. Not real: torch and whatever else they import beside their data code.
"""

import glob
import json
import os
import sys
import types

from stand_ins import stand_in_for

stand_in_for(
    """torch torchaudio torchvision torchdata tensordict transformers peft accelerate vllm ray hydra omegaconf codetiming
    wandb PIL cachetools pybind11 zmq psutil av librosa trl_ext modelscope einops scipy sentencepiece tiktoken matplotlib
    gradio fire tyro sse_starlette json_repair simplejson addict attrdict aiohttp binpacking dacite fastapi nltk oss2 rouge
    tensorboard uvicorn zstandard requests urllib3 jieba safetensors anthropic gepa loguru math_verify mcp msgpack prime_runs
    prime_sandboxes prime_tunnel renderers rich tenacity tomli tomli_w harbor websockets fastmcp jsonschema starlette typer jinja2"""
)
# Beside the dataset stands no folder of these names; the working folder must not be searched for modules either.
folder = os.path.abspath(sys.argv[1])
report = {}


def lines_of(name):
    for path in sorted(glob.glob(f"{folder}/{name}/train-*.jsonl")):
        with open(path) as file:
            yield from (json.loads(line) for line in file)


def check_verl():
    from verl.utils.dataset.rl_dataset import RLHFDataset

    config = types.SimpleNamespace(get=lambda key, default=None: {"filter_overlong_prompts": False}.get(key, default))
    # The rest of __init__ reads a tokenizer and a processor, which only length filtering uses.
    dataset = object.__new__(RLHFDataset)
    [path] = glob.glob(f"{folder}/verl/train-*.parquet")
    dataset.__dict__.update(
        data_files=[path], max_samples=-1, shuffle=False, seed=None, config=config, filter_overlong_prompts=False,
        prompt_key="prompt", image_key="images", video_key="videos", audio_key="audios", processor=object(),
        tokenizer=None, need_tools_kwargs=False,
    )
    dataset._read_files_and_tokenize()
    spoken = 0
    for place in range(len(dataset)):
        row = dataset[place]
        last = row["raw_prompt"][-1]
        assert last["role"] == "user" and row["agent_name"] == "parlor"
        if row["extra_info"]["mode"] == "speech":
            # verl turned the tag into a content part that names our clip.
            [part] = last["content"]
            assert part["type"] == "audio" and os.path.exists(os.path.join(folder, part["audio"])), part
            spoken += 1
        else:
            assert isinstance(last["content"], str) and "<audio>" not in last["content"]
    assert 0 < spoken < len(dataset)
    return len(dataset)


def check_llama_factory():
    from llamafactory.data.converter import SharegptDatasetConverter
    from llamafactory.data.parser import get_dataset_list

    with open(f"{folder}/llama-factory/dataset_info.json") as file:
        names = list(json.load(file))
    [attributes] = get_dataset_list(names[:1], f"{folder}/llama-factory")
    convert = SharegptDatasetConverter(attributes, types.SimpleNamespace(media_dir=folder))
    count = 0
    for row in lines_of("llama-factory"):
        made = convert(row)
        assert made["_prompt"] and made["_response"], "the converter dropped the row"
        assert made["_system"] == row["system"] and json.loads(made["_tools"])
        tags = sum(message["content"].count("<audio>") for message in made["_prompt"])
        assert tags == len(made["_audios"] or [])
        for path in made["_audios"] or []:
            assert os.path.isfile(path), path
        count += 1
    return count


def check_ms_swift():
    from datasets import load_dataset
    from swift.dataset.preprocessor.core import MessagesPreprocessor

    [path] = glob.glob(f"{folder}/ms-swift/train-*.jsonl")
    before = list(lines_of("ms-swift"))
    made = MessagesPreprocessor()(load_dataset("json", data_files=path, split="train"), strict=True, load_from_cache_file=False)
    assert len(made) == len(before)
    for old, new in zip(before, made, strict=True):
        assert [m["content"] for m in new["messages"]] == [m["content"] for m in old["messages"]]
        assert [m["role"] for m in new["messages"]] == [m["role"] for m in old["messages"]]
        assert (new.get("audios") or []) == old.get("audios", [])
        for a, b in zip(old["messages"], new["messages"], strict=True):
            assert (b.get("loss") is False) == (a.get("loss") is False)
    return len(made)


def check_trl():
    from trl.data_utils import is_conversational, maybe_extract_prompt, unpair_preference_dataset  # noqa: F401

    count = 0
    for name in ["trl", "trl-prompts", "preference"]:
        for row in lines_of(name):
            assert is_conversational(row), name
            count += 1
    for row in lines_of("preference"):
        assert row["prompt"][-1]["role"] in ("user", "tool") and row["chosen_score"] > row["rejected_score"]
        assert row["chosen"] != row["rejected"]
    return count


def check_verifiers():
    from verifiers.v1.trace import WireTrace

    count = 0
    for row in lines_of("verifiers"):
        trace = WireTrace.model_validate(row)
        assert trace.num_turns == len(row["info"]["turns"]) and trace.num_branches == 1
        assert len(trace.messages) == len(row["nodes"])
        [branch] = trace.branches
        assert len(branch.token_ids) == len(branch.sampled_mask) == len(branch.logprobs)
        if row["rewards"]["parlor"] is not None:
            assert trace.reward == row["rewards"]["parlor"]["score"]
        count += 1
    return count


def check_open_env():
    from openenv.core.harness.training import TrainingTrace

    count = 0
    for row in lines_of("open-env"):
        trace = TrainingTrace.model_validate(row)
        # Each call continues what the call before saw and said: nothing was tokenised again.
        for before, after in zip(trace.turns, trace.turns[1:]):
            known = before.prompt_token_ids + before.completion_token_ids
            assert after.prompt_token_ids[: len(known)] == known
        count += 1
    return count


def check_nemo_gym():
    # NeMo Gym itself needs Python 3.12; its response is this class with the customer's words allowed among the outputs.
    from openai.types.responses import Response

    count = 0
    for row in lines_of("nemo-gym"):
        response = row["response"]
        own = [item for item in response["output"] if item.get("role") != "user" and "output" not in item]
        assert Response.model_validate({**response, "output": own}).tools is not None
        count += 1
    return count


for name, check in list(globals().items()):
    if name.startswith("check_"):
        report[name.removeprefix("check_")] = check()
print(json.dumps(report))
