"""One WebSocket: opened, greeted, and closed with a reason that says whether a session may be taken up again."""

from __future__ import annotations

import ssl
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as websocket_connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, WebSocketException

from .audio import AudioFrame
from .errors import ConnectionFailedError, ConnectionLostError, ProtocolFaultError
from .events import PROTOCOL_VERSION, Event, Hello, Unknown
from .wire import parse_event

_MAX_FRAME_BYTES = 16 * 1024 * 1024

# After these the sandbox has let go of the session: orderly ends, refusals, take-over by another connection.
_FINAL_CODES = frozenset({1000, 1001, 1002, 1005, 1007, 1008, 1009, 4001, 4002, 4005})


@dataclass(frozen=True)
class Address:
    """Where the sandbox is and how to get in."""

    url: str
    token: str | None = None
    ssl: ssl.SSLContext | None = None
    open_timeout_s: float = 10.0


def parse_frame(frame: str | bytes) -> Event | Unknown | AudioFrame:
    return parse_event(frame) if isinstance(frame, str) else AudioFrame.decode(frame)


async def open_socket(address: Address) -> tuple[ClientConnection, Hello]:
    """Connects and reads the `hello`. Raises `ConnectionFailedError` or `ProtocolFaultError`."""
    headers = {} if address.token is None else {"Authorization": f"Bearer {address.token}"}
    try:
        # Turn-taking bounds what can be under way, so nothing is held back on the socket: pings are always answered.
        socket = await websocket_connect(
            address.url,
            additional_headers=headers,
            compression=None,
            max_size=_MAX_FRAME_BYTES,
            max_queue=None,
            open_timeout=address.open_timeout_s,
            ssl=address.ssl,
        )
    except InvalidStatus as error:
        status = error.response.status_code
        body = bytes(error.response.body or b"")[:300].decode("utf-8", "replace").strip()
        raise ConnectionFailedError(f"{address.url} refused: HTTP {status} {body}".rstrip(), status) from error
    except InvalidURI as error:
        raise ConnectionFailedError(f"expected ws:// or wss://, got {address.url!r}") from error
    except (OSError, TimeoutError, WebSocketException) as error:
        reason = str(error) or type(error).__name__
        raise ConnectionFailedError(f"cannot connect to {address.url}: {reason}; is `parlor serve` running?") from error
    try:
        first = parse_frame(await socket.recv())
        if not isinstance(first, Hello) or first.protocol != PROTOCOL_VERSION or first.seq != 1:
            raise ProtocolFaultError(f"expected a hello of {PROTOCOL_VERSION}, got {str(first)[:200]}")
    except ConnectionClosed as error:
        raise ConnectionFailedError(f"{address.url} hung up before it said hello") from error
    except ProtocolFaultError:
        await socket.close(1002)
        raise
    return socket, first


def loss_of(socket: ClientConnection) -> ConnectionLostError:
    """Why a closed socket is closed."""
    code = socket.close_code
    reason = f", {socket.close_reason}" if socket.close_reason else ""
    return ConnectionLostError(f"the sandbox closed the connection ({code}{reason})", code)


def may_resume(loss: ConnectionLostError) -> bool:
    return loss.close_code not in _FINAL_CODES
