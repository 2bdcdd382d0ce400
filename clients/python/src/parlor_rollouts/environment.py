"""One conversation at a time, over the sandbox's environment socket (docs/openenv.md of Parlor)."""

from __future__ import annotations

import asyncio
import json
import ssl
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Mapping
from urllib.parse import urlsplit

from parlor_client import (
    ConnectionFailedError,
    ConnectionLostError,
    ProtocolFaultError,
    ResponseTimeoutError,
)
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as websocket_connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from .actions import Action, Feedback, Mode, Opening, Verdict
from .frames import read_feedback, read_frame, read_opening, step_of

_MAX_FRAME_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class ToolSchema:
    """A tool as chat templates want it. `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    def openai(self) -> dict[str, Any]:
        """The shape that OpenAI-compatible servers and chat templates take."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}


@dataclass(frozen=True)
class Sandbox:
    """Where the sandbox is: its HTTP or WebSocket address, any path is left off. `timeout_s`: longest wait for one answer."""

    url: str
    token: str | None = None
    ssl: ssl.SSLContext | None = None
    timeout_s: float = 300.0

    def base(self, scheme: str) -> str:
        """The address with "http" or "ws" as its scheme, or their encrypted forms."""
        parts = urlsplit(self.url if "://" in self.url else f"http://{self.url}")
        if parts.scheme not in ("http", "https", "ws", "wss") or not parts.netloc:
            raise ConnectionFailedError(f"expected an address such as http://127.0.0.1:8710, got {self.url!r}")
        return f"{scheme}{'s' if parts.scheme in ('https', 'wss') else ''}://{parts.netloc}"

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}


class Environment:
    """`reset`, `act` until `end` is set, `reset` again. One task at a time may use it; for many at once open as many."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._socket: ClientConnection | None = None
        self._turn = 0
        #: How the episode ended; None while it runs.
        self.end: Verdict | None = None

    async def _open(self) -> ClientConnection:
        address = f"{self._sandbox.base('ws')}/ws"
        try:
            return await websocket_connect(
                address,
                additional_headers=self._sandbox.headers,
                compression=None,
                max_size=_MAX_FRAME_BYTES,
                open_timeout=self._sandbox.timeout_s,
                # The sandbox pings; a trainer that computes for a minute must not take silence for a loss.
                ping_interval=None,
                ssl=self._sandbox.ssl,
            )
        except InvalidStatus as error:
            status = error.response.status_code
            raise ConnectionFailedError(f"{address} refused: HTTP {status}", status) from error
        except (OSError, TimeoutError, WebSocketException) as error:
            reason = str(error) or type(error).__name__
            raise ConnectionFailedError(f"cannot connect to {address}: {reason}; is `parlor serve` running?") from error

    async def _ask(self, frame: Mapping[str, Any], kind: str) -> dict[str, Any]:
        if self._socket is None:
            self._socket = await self._open()
        socket = self._socket
        async def exchange() -> str | bytes:
            await socket.send(json.dumps(frame))
            return await socket.recv()
        try:
            return read_frame(await asyncio.wait_for(exchange(), self._sandbox.timeout_s), kind)
        except ConnectionClosed as error:
            self._socket = None
            reason = f", {socket.close_reason}" if socket.close_reason else ""
            message = f"the sandbox closed the connection ({socket.close_code}{reason})"
            raise ConnectionLostError(message, socket.close_code) from error
        except asyncio.TimeoutError as error:
            await self.close()
            raise ResponseTimeoutError(f"no answer in {self._sandbox.timeout_s} s") from error
        except (asyncio.CancelledError, ProtocolFaultError):
            # An answer that is still to come would pass for the next one: this socket is done for.
            await self.close()
            raise

    async def reset(self, task: str, *, seed: int, mode: Mode = "text", agent: str = "trainer", trial: int = 0) -> Opening:
        """Begins an episode; what ran before ends as the agent's. Same task, seed and mode: the same customer."""
        wish = {"task_id": task, "seed": seed, "mode": mode, "agent": agent, "trial": trial, "audio": "inline"}
        opening = read_opening(await self._ask({"type": "reset", "data": wish}, "observation"))
        self._turn, self.end = 0, opening.end
        return opening

    async def act(self, action: Action) -> Feedback:
        """Does one thing and waits for what comes of it. After the end it gives the same end again."""
        feedback = read_feedback(await self._ask({"type": "step", "data": step_of(action)}, "observation"), action, self._turn)
        self._turn = feedback.turn or self._turn
        self.end = feedback.end
        return feedback

    async def tools(self) -> tuple[ToolSchema, ...]:
        """The shop's tools, and `respond_to_user` and `done` behind them."""
        data = await self._ask({"type": "step", "data": {"type": "list_tools"}}, "observation")
        try:
            return tuple(
                ToolSchema(tool["name"], tool.get("description", ""), tool["input_schema"])
                for tool in data["observation"]["tools"]
            )
        except (KeyError, TypeError) as error:
            raise ProtocolFaultError(f"the list of tools lacks {error}") from error

    async def close(self) -> None:
        """Hangs up; a running episode ends as the agent's. Safe twice."""
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def __aenter__(self) -> Environment:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.close()
