"""Everything the sandbox sends as text, one dataclass an event. A test compares them with docs/schema/server-event.schema.json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Mapping, Union

PROTOCOL_VERSION = "parlor/1"

Mode = Literal["speech", "text"]
Pacing = Literal["fast", "realtime"]
Encoding = Literal["pcm16", "mulaw"]
Transport = Literal["binary", "base64"]
Capability = Literal[
    "resume", "interrupt", "acknowledge", "parallel_tools", "agent_audio", "transcription", "mcp", "live_judge", "turn_taking"
]
TurnTaking = Literal["half-duplex", "patient", "attentive", "lively"]
Aside = Literal["check_in", "backchannel", "interruption"]
CallStatus = Literal["result", "error", "cancelled"]
Owner = Literal["agent", "user", "platform"]
OutcomeRule = Literal["tarl", "tau", "tau2"]
EndReason = Literal[
    "customer_stop",
    "transfer",
    "agent_stop",
    "turn_limit",
    "error_limit",
    "context_limit",
    "agent_failed",
    "agent_unavailable",
    "agent_timeout",
    "agent_disconnected",
    "customer_gave_up",
    "customer_failed",
    "platform_failed",
    "shutdown",
]
ErrorCode = Literal[
    "bad_json",
    "bad_message",
    "too_large",
    "unknown_task",
    "no_episode",
    "episode_running",
    "not_your_turn",
    "stale_turn",
    "cannot_resume",
    "unavailable",
]


@dataclass(frozen=True)
class SampleFormat:
    """How samples are written: mono, always."""

    encoding: Encoding
    sample_rate_hz: int


@dataclass(frozen=True)
class AudioFormat:
    """The customer's audio in one episode, as asked for and as granted."""

    encoding: Encoding = "pcm16"
    sample_rate_hz: int = 16_000
    transport: Transport = "binary"
    frame_ms: int = 100


@dataclass(frozen=True)
class Limits:
    """Everything a client can run into. Times in milliseconds; 0 switches a limit off where that makes sense."""

    max_turns: int
    max_errors: int
    agent_timeout_ms: int
    max_message_bytes: int
    max_frame_bytes: int
    max_calls_per_message: int
    max_speech_ms: int
    max_refused: int
    max_unread_bytes: int
    max_connections_per_address: int
    handshake_timeout_ms: int
    idle_timeout_ms: int
    heartbeat_ms: int


@dataclass(frozen=True)
class Hello:
    """First event of every connection."""

    seq: int
    protocol: str
    server: str
    modes: tuple[Mode, ...]
    capabilities: tuple[Capability, ...]
    audio: tuple[SampleFormat, ...]
    pacings: tuple[Pacing, ...]
    limits: Limits
    session: str
    resume_token: str
    grace_ms: int

    def __repr__(self) -> str:
        return f"Hello(server={self.server!r}, session={self.session!r})"


@dataclass(frozen=True)
class SessionResumed:
    """The session goes on over this connection. `turn` is None when no episode runs."""

    seq: int
    session: str
    last_seq: int
    turn: int | None
    last_message_id: str | None
    replayed: int


@dataclass(frozen=True)
class Tool:
    """A tool of the shop. `input_schema` is the JSON Schema of its arguments."""

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    read_only: bool
    destructive: bool


@dataclass(frozen=True)
class McpAccess:
    """Where the same tools can be called over MCP (Streamable HTTP)."""

    url: str
    token: str

    def __repr__(self) -> str:
        return f"McpAccess(url={self.url!r})"


@dataclass(frozen=True)
class EpisodeReady:
    """The episode is set up. `policy` is Markdown; `audio` is None in text mode."""

    seq: int
    episode: str
    task: str
    mode: Mode
    policy: str
    tools: tuple[Tool, ...]
    audio: AudioFormat | None
    pacing: Pacing
    mcp: McpAccess | None
    live_judge: str | None = None
    turn_taking: TurnTaking | None = None


@dataclass(frozen=True)
class CustomerStart:
    """The customer begins to speak. `sample_offset`: samples of the customer sent before, in this episode. With
    turn-taking, `aside`: said beside its line, nobody's turn; `call_sample`: where on the call's clock."""

    seq: int
    turn: int
    utterance: int
    form: Mode
    sample_offset: int
    aside: Aside | None = None
    call_sample: int | None = None


@dataclass(frozen=True)
class CustomerText:
    """A piece of what the customer says, in text."""

    seq: int
    utterance: int
    text: str


@dataclass(frozen=True)
class CustomerAudio:
    """A piece of what the customer says, base64; only when the episode asked for that."""

    seq: int
    utterance: int
    sample_offset: int
    samples: int
    data: str


@dataclass(frozen=True)
class CustomerEnd:
    """The customer has spoken. Unless `final`, the agent may act now."""

    seq: int
    turn: int
    utterance: int
    duration_ms: float
    samples: int
    interrupted: bool
    final: bool


@dataclass(frozen=True)
class AgentInterrupted:
    """With turn-taking: the customer broke in while the agent spoke; what was heard until then. Its words follow."""

    seq: int
    turn: int
    call_sample: int
    heard_samples: int
    heard_ms: float
    heard_text: str


@dataclass(frozen=True)
class ToolResult:
    """How a tool call ended. `content` is for the model; errors start with "Error: "."""

    seq: int
    turn: int
    call_id: str
    status: CallStatus
    ok: bool
    content: str
    repeated: bool = False


@dataclass(frozen=True)
class Intervention:
    """A judge broke in: the action was not taken, and the agent may act again. Only where `ready.live_judge` names one."""

    seq: int
    turn: int
    count: int
    message: str
    call_ids: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """The verdict, in numbers. A score of None does not apply or could not be made."""

    rule: OutcomeRule
    success: bool
    reward: float
    scores: Mapping[str, float | None]
    unscored: tuple[str, ...]


@dataclass(frozen=True)
class EpisodeEnd:
    """The episode is over and its record is closed. `outcome` is None when it could not be verified."""

    seq: int
    turn: int
    episode: str
    reason: EndReason
    owner: Owner
    outcome: Outcome | None

    @property
    def reward(self) -> float | None:
        """The outcome's reward; None when there is no verdict."""
        return None if self.outcome is None else self.outcome.reward


@dataclass(frozen=True)
class Refusal:
    """The event `error`: a message was not taken. The connection stays, and whoever had the turn still has it."""

    seq: int
    code: ErrorCode
    message: str
    message_id: str | None = None


@dataclass(frozen=True)
class Unknown:
    """An event of a newer sandbox. It is counted and passed over."""

    seq: int


Event = Union[
    Hello,
    SessionResumed,
    EpisodeReady,
    CustomerStart,
    CustomerText,
    CustomerAudio,
    CustomerEnd,
    AgentInterrupted,
    ToolResult,
    Intervention,
    EpisodeEnd,
    Refusal,
]

EVENT_TYPES: Mapping[str, type[Event]] = {
    "hello": Hello,
    "session.resumed": SessionResumed,
    "episode.ready": EpisodeReady,
    "customer.start": CustomerStart,
    "customer.text": CustomerText,
    "customer.audio": CustomerAudio,
    "customer.end": CustomerEnd,
    "agent.interrupted": AgentInterrupted,
    "tool.result": ToolResult,
    "intervention": Intervention,
    "episode.end": EpisodeEnd,
    "error": Refusal,
}
