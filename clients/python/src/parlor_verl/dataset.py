"""verl's dataset with Parlor's sound: clips of an exported dataset are read and decoded, not handed on as names.

    data.custom_cls.path=pkg://parlor_verl.dataset data.custom_cls.name=ParlorDataset
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from parlor_client import Audio
from verl.utils.dataset.rl_dataset import RLHFDataset

from .sound import waveform


class ParlorDataset(RLHFDataset):  # type: ignore[misc]
    """Rows of `parlor export --format verl` or of `prompt_rows`. Where clips lie: `data.parlor_folder`, else beside or above the
    file that names them."""

    def _build_messages(self, example: dict[str, Any], *args: Any, **kwargs: Any) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = super()._build_messages(example, *args, **kwargs)
        for message in messages:
            for part in message["content"] if isinstance(message["content"], list) else ():
                if part.get("type") == "audio" and isinstance(part.get("audio"), str):
                    part["audio"] = self._find(part["audio"])
        return messages

    def _find(self, name: str) -> str:
        folder = self.config.get("parlor_folder", None)
        files = [Path(file).resolve() for file in self.data_files]
        places = [Path(folder)] if folder else [parent for file in files for parent in list(file.parents)[:3]]
        for place in places:
            if (place / name).is_file():
                return str(place / name)
        raise FileNotFoundError(f"the clip {name} lies in none of {[str(place) for place in places]}; set data.parlor_folder")

    @classmethod
    def _extract_audio_info(cls, messages: list[dict[str, Any]]) -> list[Any] | None:
        """Samples, float32 from -1 to 1 at 16 kHz, for the processor and the engine."""
        found = super()._extract_audio_info(messages)
        return None if found is None else [_decode(each) for each in found]


def _decode(audio: Any) -> Any:
    if isinstance(audio, np.ndarray):
        return audio
    if isinstance(audio, dict):
        content = audio.get("bytes") or Path(os.fspath(audio["path"])).read_bytes()
    else:
        content = audio if isinstance(audio, bytes) else Path(audio).read_bytes()
    clip = Audio.from_wav(content)
    if clip.sample_rate_hz != 16_000:
        raise ValueError(f"clips for training are 16 kHz; this one has {clip.sample_rate_hz} Hz")
    return waveform(clip)
