"""Reads an exported dataset with pyarrow, duckdb, datasets, webdataset and soundfile. Usage: check_files.py DATASET SCORES"""

import glob
import io
import json
import os
import sys
import tarfile

import duckdb
import pyarrow.parquet as pq
import soundfile
import webdataset
from datasets import Audio, List, load_dataset

folder, score_file = sys.argv[1:3]
scores = {}
with open(score_file) as file:
    for line in file:
        value = json.loads(line)
        if value["type"] == "score":
            scores[value["episode"]] = value
with open(f"{folder}/manifest.json") as file:
    manifest = json.load(file)
report = {}


def rows_of(name):
    with open(f"{folder}/{name}/train-00000.jsonl") as file:
        return [json.loads(line) for line in file]


def close(a, b):
    return a is not None and b is not None and abs(a - b) < 1e-9


# Sound: every embedded clip decodes at 16 kHz, and lasts as long as the row says.
audio = load_dataset(folder, "hugging-face", split="train")
assert audio.features["clips"] == List(Audio(sampling_rate=16000)), audio.features["clips"]
plain = audio.cast_column("clips", List(Audio(sampling_rate=16000, decode=False)))
clips = 0
for row in plain:
    heard = [message for message in row["messages"] if message["clip"] is not None]
    assert [message["clip"] for message in heard] == list(range(len(row["clips"])))
    for clip, seconds in zip(row["clips"], row["clip_seconds"], strict=True):
        samples, rate = soundfile.read(io.BytesIO(clip["bytes"]))
        assert rate == 16000 and samples.ndim == 1
        assert abs(len(samples) / rate - seconds) < 1e-9
        clips += 1
    total = sum(turn["verdict_reward"] for turn in row["turns"]) + row["outcome_reward"]
    assert close(total, row["score"]) and close(row["score"], scores[row["id"]]["score"])
    assert [turn["verdict"] for turn in row["turns"]] == [turn["verdict"] for turn in scores[row["id"]]["turns"]]
report["hugging-face"] = len(audio)
report["clips"] = clips

# The same sums by SQL over the trajectory file, and tokens that line up where there are any.
table = pq.read_table(glob.glob(f"{folder}/verl-trajectories/*.parquet")[0])
assert table.num_rows == len(scores) == manifest["statistics"]["episodes"]
[(worst,)] = duckdb.sql(
    f"select max(abs(list_sum(turn_scores) + outcome_score - reward_score)) from '{folder}/verl-trajectories/*.parquet'"
).fetchall()
assert worst < 1e-9, worst
with_tokens = 0
for row in table.to_pylist():
    if row["response_ids"] is None:
        assert row["rollout_type"] == "eval" and row["response_mask"] is None
        continue
    with_tokens += 1
    size, opening = len(row["response_ids"]), len(row["prompt_ids"])
    assert len(row["response_mask"]) == size and set(row["response_mask"]) <= {0, 1}
    rewards = row["token_level_rewards"]
    assert len(rewards) == size and abs(sum(rewards) - row["reward_score"]) < 1e-9
    masked = [0] * size
    for start, end in zip(row["turn_starts"], row["turn_ends"], strict=True):
        for place in range(start - opening, end - opening):
            masked[place] = 1
    assert masked == row["response_mask"], row["id"]
    for place, reward in enumerate(rewards):
        assert reward == 0 or place + opening + 1 in row["turn_ends"]
    if row["token_advantages"] is not None:
        for place, advantage in enumerate(row["token_advantages"]):
            assert row["response_mask"][place] == 1 or advantage == 0
report["verl-trajectories"] = table.num_rows
report["with tokens"] = with_tokens

# Rows of JSON lines load as they are, and calls keep exactly the arguments that were made.
for name in ["trl", "trl-prompts", "openai", "ms-swift", "llama-factory", "nemo-gym", "steps", "preference", "parlor"]:
    [path] = glob.glob(f"{folder}/{name}/train-*.jsonl")
    loaded = load_dataset("json", data_files=path, split="train")
    stated = sum(file["rows"] for file in manifest["files"] if file["format"] == name)
    assert len(loaded) == stated > 0, name
    report[name] = len(loaded)
loaded = load_dataset("json", data_files=f"{folder}/trl/train-00000.jsonl", split="train")
for before, after in zip(rows_of("trl"), loaded, strict=True):
    assert before["messages"] == after["messages"] and before["tools"] == after["tools"]

# Clips that rows name are there; one tag per clip.
for row in rows_of("ms-swift"):
    tags = sum(message["content"].count("<audio>") for message in row["messages"])
    assert tags == len(row.get("audios", []))
    for path in row.get("audios", []):
        assert soundfile.info(os.path.join(folder, path)).samplerate == 16000

# Labels of steps.
for row in rows_of("steps"):
    assert len(row["completions"]) == len(row["labels"]) == len(row["observations"])
    assert row["labels"] == [verdict == 1 for verdict in row["verdicts"]]

# OpenAI's rules: arguments are JSON text, every call has its result, the last message is the assistant's.
for row in rows_of("openai"):
    assert row["messages"][-1]["role"] == "assistant"
    open_calls = set()
    for message in row["messages"][:-1]:
        for call in message.get("tool_calls", []):
            json.loads(call["function"]["arguments"])
            open_calls.add(call["id"])
        open_calls.discard(message.get("tool_call_id"))
    assert not open_calls

# Shards of tar, with the library that streams them.
[shard] = glob.glob(f"{folder}/web-dataset/train-*.tar")
with tarfile.open(shard) as archive:
    assert all(member.mtime == 0 and member.uid == 0 for member in archive)
samples = list(webdataset.WebDataset(shard, shardshuffle=False))
for sample in samples:
    value = json.loads(sample["json"])
    names = [message["audio"] for message in value["messages"] if message.get("audio")]
    assert sorted(names) == sorted(key for key in sample if key.endswith(".wav"))
    for name in names:
        assert soundfile.info(io.BytesIO(sample[name])).samplerate == 16000
report["web-dataset"] = len(samples)
print(json.dumps(report))
