"""Rollouts that the sandbox plays itself, with a model behind your own gateway: `POST /v1/rollouts` (docs/training.md of Parlor)."""

from __future__ import annotations

from typing import Any, Mapping, Sequence
from urllib.parse import quote

from parlor_client import ProtocolFaultError, ResponseTimeoutError

from .environment import Sandbox
from .tasks import _fetch

_OVER = ("done", "invalid", "cancelled")
_LONGEST_WAIT_S = 60


def post_rollouts(sandbox: Sandbox, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Posts them all, or none. Safe to repeat: a `rollout_id` that is known gives the rollout that there is.

    Raises `ConnectionFailedError`; its `status` is 429 when the queue is full, 400 when a body is not understood.
    """
    answer = _fetch(sandbox, "/v1/rollouts", {"rollouts": [dict(body) for body in bodies]})
    try:
        views: list[dict[str, Any]] = list(answer["rollouts"])
    except (KeyError, TypeError) as error:
        raise ProtocolFaultError(f"the answer to a post of rollouts lacks {error}") from error
    return views


def get_rollout(sandbox: Sandbox, rollout_id: str, *, wait_s: float = 0, generations: bool = False) -> dict[str, Any]:
    """Where it stands. `wait_s`: at most 60, for its end. `generations`: with the token ids that your gateway gave."""
    query = f"wait={wait_s:g}" + ("&include=generations" if generations else "")
    view: dict[str, Any] = _fetch(sandbox, f"/v1/rollouts/{quote(rollout_id, safe='')}?{query}", None)
    return view


def finish_rollout(
    sandbox: Sandbox, rollout_id: str, *, timeout_s: float = 3_600, generations: bool = False
) -> dict[str, Any]:
    """Waits until it is over: `state` is "done", "invalid" (leave it out: no reward, not 0) or "cancelled"."""
    left = timeout_s
    while left > 0:
        wait_s = min(left, _LONGEST_WAIT_S)
        view = get_rollout(sandbox, rollout_id, wait_s=wait_s, generations=generations)
        if view.get("state") in _OVER:
            return view
        left -= wait_s
    raise ResponseTimeoutError(f"the rollout {rollout_id} was not over in {timeout_s:g} s")


def cancel_rollout(sandbox: Sandbox, rollout_id: str) -> dict[str, Any]:
    """Ends it; a cancelled rollout has no reward and posts none."""
    view: dict[str, Any] = _fetch(sandbox, f"/v1/rollouts/{quote(rollout_id, safe='')}", None, method="DELETE")
    return view
