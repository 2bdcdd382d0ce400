"""The customer's sound as verl and its engines want it."""

from __future__ import annotations

from typing import Any

import numpy as np
from parlor_client import Audio


def waveform(audio: Audio) -> "np.ndarray[Any, np.dtype[np.float32]]":
    """Mono samples from -1 to 1."""
    return np.frombuffer(audio.pcm16_bytes(), dtype="<i2").astype(np.float32) / 32_768.0
