"""Client for the Parlor sandbox: a simulated customer speaks, your agent answers and calls tools.

    async with connect("ws://127.0.0.1:8710/v1") as session:
        async with session.episode("eval-001", mode="text", seed=1, agent="mine") as episode:
            print(episode.opening.text)
            reply = await episode.say("Hello! May I have your name and zip code?")
            result = await episode.call("get_user_details", {"user_id": "…"})
    print(episode.end.reason, episode.end.reward)

`parlor_client.blocking` has the same without `async`. The protocol: docs/protocol.md of Parlor.
"""

from .audio import Audio, AudioFrame
from .episode import Episode
from .errors import (
    ConnectionFailedError,
    ConnectionLostError,
    EpisodeOverError,
    InterventionError,
    MessageRefusedError,
    NothingSaidError,
    ParlorError,
    ProtocolFaultError,
    ResponseTimeoutError,
    ResumeRefusedError,
)
from .events import AudioFormat, EpisodeEnd, EpisodeReady, Hello, Outcome, Tool, ToolResult
from .session import Session, connect
from .speech import WordTime
from .turns import AudioPiece, Call, Reply, Utterance

__all__ = [
    "Audio",
    "AudioFormat",
    "AudioFrame",
    "AudioPiece",
    "Call",
    "ConnectionFailedError",
    "ConnectionLostError",
    "Episode",
    "EpisodeEnd",
    "EpisodeOverError",
    "EpisodeReady",
    "Hello",
    "InterventionError",
    "MessageRefusedError",
    "NothingSaidError",
    "Outcome",
    "ParlorError",
    "ProtocolFaultError",
    "Reply",
    "ResponseTimeoutError",
    "ResumeRefusedError",
    "Session",
    "Tool",
    "ToolResult",
    "Utterance",
    "WordTime",
    "connect",
]
