"""The agent's own voice on its way to the sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, Tuple

from .audio import BYTES_PER_SAMPLE, Audio, AudioFrame

if TYPE_CHECKING:
    from .session import Session

# A word, its first sample, the first sample behind it.
WordTime = Tuple[str, int, int]

_FRAME_BYTES = 32_000


async def upload(session: Session, number: int, audio: Audio, transcript: str | None, words: Sequence[WordTime] | None = None) -> None:
    """Sends a clip in frames of at most a second. It says nothing yet: `agent.message` refers to its number."""
    if len(audio) == 0:
        raise ValueError("the clip is empty; speech has at least one sample")
    audio_format = {"encoding": audio.encoding, "sampleRateHz": audio.sample_rate_hz}
    await session._send({"type": "agent.speech.start", "speech": number, "audio": audio_format})
    width = BYTES_PER_SAMPLE[audio.encoding]
    for start in range(0, len(audio.data), _FRAME_BYTES):
        piece = audio.data[start : start + _FRAME_BYTES]
        await session._send_frame(AudioFrame("agent", 0, number, start // width, piece).encode())
    end: dict[str, Any] = {"type": "agent.speech.end", "speech": number}
    end |= {"samples": len(audio), "transcript": transcript}
    if words is not None:
        end["words"] = [list(word) for word in words]
    await session._send(end)
