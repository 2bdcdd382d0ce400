"""Reads what the sandbox answers on `/ws` (docs/openenv.md of Parlor). Whatever is not as promised is a `ProtocolFaultError`."""

from __future__ import annotations

import base64
import binascii
import json
import wave
from typing import Any

from parlor_client import Audio, ParlorError, ProtocolFaultError

from .actions import Action, Feedback, HangUp, Opening, Say, TurnReward, Verdict

Json = dict[str, Any]


class EnvironmentRefusedError(ParlorError):
    """The sandbox did not do what was asked for; `code` as in docs/openenv.md, e.g. CAPACITY_REACHED or EXECUTION_ERROR."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


def read_frame(frame: str | bytes, kind: str) -> Json:
    """The `data` of a frame. Raises `EnvironmentRefusedError` for an error frame."""
    try:
        content = json.loads(frame)
        data: Json = content["data"]
        if content["type"] == "error":
            raise EnvironmentRefusedError(str(data["code"]), str(data["message"]))
        if content["type"] != kind or not isinstance(data, dict):
            raise KeyError("type")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProtocolFaultError(f"expected a frame of type {kind}, got {str(frame)[:200]!r}") from error
    return data


def _sound(blocks: Any) -> Audio | None:
    for block in blocks if isinstance(blocks, list) else ():
        if isinstance(block, dict) and block.get("type") == "audio":
            try:
                return Audio.from_wav(base64.b64decode(block["data"], validate=True))
            except (KeyError, TypeError, ValueError, binascii.Error, wave.Error, EOFError) as error:
                raise ProtocolFaultError(f"the customer's audio cannot be read: {error}") from error
    return None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _verdict(data: Json) -> Verdict | None:
    if not data.get("done"):
        return None
    facts: Json = data.get("metadata") or {}
    info: Json = facts.get("reward_info") or {}
    try:
        turns = tuple(
            TurnReward(
                int(turn["turn"]),
                float(turn["reward"]),
                _number(turn.get("verdict")),
                _number(turn.get("verdict_reward")),
            )
            for turn in facts.get("turn_rewards") or ()
        )
        return Verdict(
            reward=_number(data.get("reward")),
            reason=str(facts["stop_reason"]),
            owner=str(facts["owner"]),
            success=info.get("success"),
            turn=int(facts.get("turn", 0)),
            turns=turns,
            score=_number(facts.get("verdict_score")),
            source=facts.get("turn_reward_source"),
            record=str(facts.get("record", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ProtocolFaultError(f"the end of an episode lacks {error}; is this a Parlor sandbox?") from error


def read_opening(data: Json) -> Opening:
    facts: Json = data.get("metadata") or {}
    observation: Json = data.get("observation") or {}
    return Opening(
        text=str(facts.get("user_message", "")),
        audio=_sound(observation.get("content")),
        policy=str(facts.get("policy", "")),
        task=str(facts.get("task_id", "")),
        end=_verdict(data),
    )


def read_feedback(data: Json, action: Action, turn_before: int) -> Feedback:
    observation: Json = data.get("observation") or {}
    end = _verdict(data)
    turn = (data.get("metadata") or {}).get("turn")
    counted = turn if isinstance(turn, int) and turn > turn_before and not isinstance(action, HangUp) else None
    error, result = observation.get("error"), observation.get("result")
    if isinstance(error, dict):
        # A tool that does not exist was called all the same: that is a turn of the record.
        return Feedback("sandbox", str(error.get("message", "")), None, True, counted, end)
    if not isinstance(result, dict):
        raise ProtocolFaultError("a step without an error has a result; is this a Parlor sandbox?")
    text, failed = str(result.get("data", "")), bool(result.get("is_error"))
    if isinstance(action, HangUp):
        return Feedback("sandbox", text, None, failed, counted, end)
    if isinstance(action, Say):
        return Feedback("customer", text, _sound(result.get("content")), failed, counted, end)
    return Feedback("tool", text, None, failed, counted, end)


def step_of(action: Action) -> Json:
    """The `data` of a step frame."""
    if isinstance(action, Say):
        return {"type": "call_tool", "tool_name": "respond_to_user", "arguments": {"message": action.text}}
    if isinstance(action, HangUp):
        return {"type": "call_tool", "tool_name": "done", "arguments": {}}
    arguments = action.arguments if isinstance(action.arguments, str) else dict(action.arguments)
    return {"type": "call_tool", "tool_name": action.name, "arguments": arguments}
