"""One rollout: a conversation as a policy sees it while it runs, and as a trainer gets it."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any, Literal, Mapping, Sequence

from parlor_client import Audio

from .actions import Action, Feedback, HangUp, Mode, Opening, Say, TurnReward, UseTool, Verdict
from .environment import ToolSchema

Message = dict[str, Any]
#: Whose failure it was: the sandbox's, the simulated customer's, the network's; or the sandbox was full or going down.
Cause = Literal["platform", "customer", "connection", "timeout", "refused"]


@dataclass(frozen=True)
class Step:
    """An action and what came of it. `reward`: of its turn; None for what is no turn, and while the episode runs."""

    action: Action
    feedback: Feedback
    reward: TurnReward | None = None


@dataclass
class Live:
    """What a policy sees of one conversation. `notes` is the policy's own, from reset to end (caches, request ids).

    `seed` is the customer's, the same in the whole group; `policy_seed` is this rollout's own, for sampling.
    """

    group: int
    place: int
    task: str
    mode: Mode
    seed: int
    policy_seed: int
    tools: Sequence[ToolSchema]
    opening: Opening
    steps: list[Step] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def heard(self) -> Opening | Feedback:
        """What came last: this is to be answered."""
        return self.steps[-1].feedback if self.steps else self.opening

    def messages(self) -> list[Message]:
        """The conversation so far in OpenAI's chat form; the customer's speech as `input_audio` parts (base64 WAV)."""
        return chat_messages(self.opening, self.steps)


def _customer(text: str, audio: Audio | None) -> Message:
    if audio is None:
        return {"role": "user", "content": text}
    data = base64.b64encode(audio.wav()).decode("ascii")
    return {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": data, "format": "wav"}}]}


def chat_messages(opening: Opening, steps: Sequence[Step]) -> list[Message]:
    """The shop's rules as the system message, then what was said and done. Refused actions and hanging up leave no trace."""
    messages: list[Message] = [{"role": "system", "content": opening.policy}]
    if opening.text or opening.audio is not None:
        messages.append(_customer(opening.text, opening.audio))
    for number, step in enumerate(steps):
        action, feedback = step.action, step.feedback
        if isinstance(action, HangUp) or (isinstance(action, Say) and feedback.speaker == "sandbox"):
            continue
        if isinstance(action, Say):
            messages.append({"role": "assistant", "content": action.text})
            if feedback.text or feedback.audio is not None:
                messages.append(_customer(feedback.text, feedback.audio))
            continue
        arguments = action.arguments if isinstance(action.arguments, str) else json.dumps(dict(action.arguments))
        function = {"name": action.name, "arguments": arguments}
        call = {"id": f"call-{number + 1}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": feedback.text})
    return messages


def rewarded(steps: Sequence[Step], end: Verdict) -> tuple[Step, ...]:
    """The steps with the rewards of their turns."""
    rewards = {turn.turn: turn for turn in end.turns}
    return tuple(
        Step(step.action, step.feedback, rewards.get(step.feedback.turn) if step.feedback.turn else None)
        for step in steps
    )


@dataclass(frozen=True)
class Rollout:
    """A finished rollout. `attempts` is above 1 when the platform failed and it was done again."""

    group: int
    place: int
    task: str
    mode: Mode
    seed: int
    policy_seed: int
    opening: Opening
    steps: Sequence[Step]
    end: Verdict
    attempts: int
    notes: Mapping[str, Any]

    @property
    def reward(self) -> float:
        """The outcome's reward; a `Rollout` always has one."""
        assert self.end.reward is not None
        return self.end.reward

    def messages(self) -> list[Message]:
        """As `Live.messages`."""
        return chat_messages(self.opening, self.steps)


@dataclass(frozen=True)
class Failure:
    """An attempt that says nothing about the agent: it has no reward. `again`: it was done again."""

    place: int
    attempt: int
    cause: Cause
    detail: str
    again: bool


@dataclass(frozen=True)
class Group:
    """Rollouts of one task with one customer, to be compared with each other, in order of `place`.

    `partial`: some are missing because the platform failed too often; `failures` says which and why.
    """

    index: int
    task: str
    mode: Mode
    seed: int
    rollouts: Sequence[Rollout]
    failures: Sequence[Failure]
    size: int

    @property
    def partial(self) -> bool:
        return len(self.rollouts) < self.size

    @property
    def rewards(self) -> list[float]:
        return [rollout.reward for rollout in self.rollouts]
