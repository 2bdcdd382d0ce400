"""Clips of a dataset in another format than WAV: they open by name and embedded, and last as long as the rows say.

Usage: check_codecs.py DATASET EXTENSION
"""

import io
import json
import os
import sys
import tarfile

import soundfile
from datasets import Audio, List, load_dataset

folder, extension = sys.argv[1:3]
report = {"files": 0, "embedded": 0, "tar": 0}


def check(source, seconds):
    samples, rate = soundfile.read(source)
    assert samples.ndim == 1
    assert abs(len(samples) / rate - seconds) < 1e-9, (len(samples), rate, seconds)


with open(f"{folder}/parlor/train-00000.jsonl") as file:
    for line in file:
        for message in json.loads(line)["messages"]:
            clip = message.get("audio")
            if clip is None:
                continue
            assert clip["path"].endswith("." + extension)
            check(os.path.join(folder, clip["path"]), clip["samples"] / clip["sampleRateHz"])
            report["files"] += 1

audio = load_dataset(folder, "hugging-face", split="train")
for row in audio.cast_column("clips", List(Audio(sampling_rate=16000, decode=False))):
    for clip, seconds in zip(row["clips"], row["clip_seconds"], strict=True):
        assert clip["path"].endswith("." + extension)
        check(io.BytesIO(clip["bytes"]), seconds)
        report["embedded"] += 1

with tarfile.open(f"{folder}/web-dataset/train-00000.tar") as archive:
    for member in archive:
        if member.name.endswith("." + extension):
            soundfile.info(io.BytesIO(archive.extractfile(member).read()))
            report["tar"] += 1
print(json.dumps(report))
