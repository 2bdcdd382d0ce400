"""Sound: binary frames, and clips made of them."""

from __future__ import annotations

import io
import struct
import sys
import wave
from array import array
from dataclasses import dataclass
from typing import Literal

from .errors import ProtocolFaultError
from .events import Encoding

_HEADER = struct.Struct("<BBBBIII")
_MAGIC = 0x50
_VERSION = 1
FrameKind = Literal["customer", "agent"]
_KINDS: tuple[FrameKind, ...] = ("customer", "agent")

BYTES_PER_SAMPLE: dict[Encoding, int] = {"pcm16": 2, "mulaw": 1}


@dataclass(frozen=True)
class AudioFrame:
    """A binary frame: 16 bytes of header (docs/protocol.md), then `data` in the negotiated encoding."""

    kind: FrameKind
    seq: int
    utterance: int
    sample_offset: int
    data: bytes

    def encode(self) -> bytes:
        kind = _KINDS.index(self.kind) + 1
        header = _HEADER.pack(_MAGIC, _VERSION, kind, 0, self.seq, self.utterance, self.sample_offset)
        return header + self.data

    @staticmethod
    def decode(frame: bytes) -> AudioFrame:
        """Raises `ProtocolFaultError`, never anything else."""
        if len(frame) <= _HEADER.size:
            raise ProtocolFaultError(f"an audio frame has more than {_HEADER.size} bytes; got {len(frame)}")
        magic, version, kind, reserved, seq, utterance, offset = _HEADER.unpack_from(frame)
        if magic != _MAGIC or version != _VERSION or reserved != 0 or kind not in (1, 2):
            raise ProtocolFaultError(f"no audio frame: it starts with {frame[:4].hex(' ')}")
        return AudioFrame(_KINDS[kind - 1], seq, utterance, offset, frame[_HEADER.size :])


def _mulaw_table() -> array[int]:
    """G.711: linear values of the 256 codes."""
    table = array("h")
    for code in range(256):
        inverted = ~code & 0xFF
        magnitude = (((inverted & 0x0F) << 3) + 0x84) << ((inverted >> 4) & 0x07)
        table.append(0x84 - magnitude if inverted & 0x80 else magnitude - 0x84)
    return table


_MULAW = _mulaw_table()


@dataclass(frozen=True)
class Audio:
    """A clip, mono, as it came: little-endian PCM16 or G.711 µ-law."""

    data: bytes
    encoding: Encoding
    sample_rate_hz: int

    def __len__(self) -> int:
        """Samples."""
        return len(self.data) // BYTES_PER_SAMPLE[self.encoding]

    def __repr__(self) -> str:
        return f"Audio({self.encoding}, {self.sample_rate_hz} Hz, {self.duration_ms:.0f} ms)"

    @property
    def duration_ms(self) -> float:
        return 1000 * len(self) / self.sample_rate_hz

    def pcm16(self) -> array[int]:
        """Signed 16-bit samples. For numpy: `numpy.frombuffer(audio.pcm16(), dtype=numpy.int16)`."""
        if self.encoding == "mulaw":
            return array("h", (_MULAW[code] for code in self.data))
        samples = array("h", self.data)
        if sys.byteorder == "big":
            samples.byteswap()
        return samples

    def pcm16_bytes(self) -> bytes:
        """The same samples as little-endian bytes."""
        samples = self.pcm16()
        if sys.byteorder == "big":
            samples.byteswap()
        return samples.tobytes()

    def wav(self) -> bytes:
        """A WAV file, 16-bit."""
        file = io.BytesIO()
        with wave.open(file, "wb") as writer:
            writer.setnchannels(1)
            writer.setsampwidth(2)
            writer.setframerate(self.sample_rate_hz)
            writer.writeframes(self.pcm16_bytes())
        return file.getvalue()

    @staticmethod
    def from_wav(content: bytes) -> Audio:
        """A clip from a mono 16-bit WAV file; `wave.Error` or `ValueError` when it is something else."""
        with wave.open(io.BytesIO(content), "rb") as reader:
            if reader.getnchannels() != 1 or reader.getsampwidth() != 2:
                raise ValueError("expected a mono WAV file of 16-bit samples")
            return Audio(reader.readframes(reader.getnframes()), "pcm16", reader.getframerate())
