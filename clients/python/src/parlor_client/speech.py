"""The agent's own voice on its way to the sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .audio import BYTES_PER_SAMPLE, Audio, AudioFrame

if TYPE_CHECKING:
    from .session import Session

_FRAME_BYTES = 32_000


async def upload(session: Session, number: int, audio: Audio, transcript: str | None) -> None:
    """Sends a clip in frames of at most a second. It says nothing yet: `agent.message` refers to its number."""
    if len(audio) == 0:
        raise ValueError("the clip is empty; speech has at least one sample")
    audio_format = {"encoding": audio.encoding, "sampleRateHz": audio.sample_rate_hz}
    await session._send({"type": "agent.speech.start", "speech": number, "audio": audio_format})
    width = BYTES_PER_SAMPLE[audio.encoding]
    for start in range(0, len(audio.data), _FRAME_BYTES):
        piece = audio.data[start : start + _FRAME_BYTES]
        await session._send_frame(AudioFrame("agent", 0, number, start // width, piece).encode())
    await session._send(
        {"type": "agent.speech.end", "speech": number, "samples": len(audio), "transcript": transcript}
    )
