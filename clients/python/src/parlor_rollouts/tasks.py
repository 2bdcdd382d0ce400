"""Which tasks a sandbox serves."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

from parlor_client import ConnectionFailedError, ProtocolFaultError

from . import blocking
from .environment import Sandbox


def _fetch(sandbox: Sandbox, path: str, body: Any, *, method: str | None = None) -> Any:
    address = f"{sandbox.base('http')}{path}"
    data = None if body is None else json.dumps(body).encode()
    headers = {**sandbox.headers, "Content-Type": "application/json"}
    request = urllib.request.Request(address, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=sandbox.timeout_s, context=sandbox.ssl) as response:
            return json.loads(response.read(64 * 1024 * 1024))
    except urllib.error.HTTPError as error:
        raise ConnectionFailedError(f"{address}: HTTP {error.code} {error.read(300).decode('utf-8', 'replace')}", error.code) from error
    except (OSError, urllib.error.URLError) as error:
        raise ConnectionFailedError(f"cannot reach {address}: {error}; is `parlor serve` running?") from error
    except ValueError as error:
        raise ProtocolFaultError(f"{address} did not answer with JSON") from error


def list_tasks(sandbox: Sandbox, split: str | None = None) -> list[str]:
    """Ids of the tasks of a split, in order. Without `split`: of "train" where there is one, else of the first.

    Do not train on a split called "test": `parlor tasks generate` makes tasks for training, `parlor serve --data` serves them.
    """
    try:
        if split is None:
            names = [each["name"] for each in _fetch(sandbox, "/retail/splits", None)]
            split = "train" if "train" in names else names[0]
        return [str(task["id"]) for task in _fetch(sandbox, "/retail/tasks", {"split": split})["tasks"]]
    except (KeyError, IndexError, TypeError) as error:
        raise ProtocolFaultError(f"the list of tasks lacks {error}; is this a Parlor sandbox?") from error


def list_tools(sandbox: Sandbox) -> list[dict[str, Any]]:
    """The tools of the environment as OpenAI function schemas, `respond_to_user` and `done` included."""
    environment = blocking.Environment(sandbox)
    try:
        return [tool.openai() for tool in environment.tools()]
    finally:
        environment.close()
