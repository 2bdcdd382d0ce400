"""What can go wrong, as types. Everything that this package raises on purpose is a `ParlorError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .events import EpisodeEnd, ToolResult


class ParlorError(Exception):
    """Base of every error of this package."""


class ConnectionFailedError(ParlorError):
    """No connection could be made. `status`: the HTTP status of a refusal (401: token, 403: origin, 429, 503: too many), if any."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ConnectionLostError(ParlorError):
    """The connection went and the session could not be taken up again. `close_code`: see docs/protocol.md."""

    def __init__(self, message: str, close_code: int | None = None) -> None:
        super().__init__(message)
        self.close_code = close_code


class ResumeRefusedError(ConnectionLostError):
    """The sandbox no longer has the session: the grace period is over, or it was restarted."""


class ProtocolFaultError(ParlorError):
    """The other side sent something that protocol `parlor/1` does not know. Is it a Parlor sandbox of this version?"""


class MessageRefusedError(ParlorError):
    """The sandbox did not take a message; nothing has changed and another one may be sent. `code`: as in docs/protocol.md."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class InterventionError(MessageRefusedError):
    """A live judge broke in: nothing was said or done, it costs no turn, and the agent may act again, the same way or
    another. `message` is for the model. `count`: of this turn; after the second the agent has its way. `results`: of the
    calls in the same `call_many` that were made before it broke in; those behind them were not made."""

    def __init__(self, count: int, message: str, results: tuple[ToolResult, ...] = ()) -> None:
        super().__init__("intervention", message)
        self.count = count
        self.results = results


class NothingSaidError(ParlorError):
    """A loop over an episode asked for what the customer says next, and the agent had not answered what it said last."""


class ResponseTimeoutError(ParlorError, TimeoutError):
    """No answer in the time that the caller gave. The answer may still come; close the session."""


class EpisodeOverError(ParlorError):
    """The episode had ended before the action; `end` says how."""

    def __init__(self, end: EpisodeEnd) -> None:
        super().__init__(f"the episode is over ({end.reason}); start another one")
        self.end = end
