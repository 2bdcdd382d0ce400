"""A conversation with a customer as an environment of TRL: `GRPOTrainer(environment_factory=retail_environment(sandbox))`."""

from __future__ import annotations

from typing import Any, Protocol

from parlor_rollouts import Action, HangUp, Sandbox, Say, UseTool, Verdict, blocking
from parlor_rollouts.environment import ToolSchema

from .methods import make_method


class RetailEnvironment(Protocol):
    """What the class that `retail_environment` makes has, beside a method for each tool of the shop."""

    #: How the conversation ended; None while it runs.
    _end: Verdict | None

    def reset(self, task_id: str, seed: int = 0, **row: Any) -> str: ...

    def respond_to_user(self, message: str) -> str: ...

    def done(self) -> str: ...


def verdict_of(environment: Any) -> Verdict:
    """How a rollout's conversation ended. One that runs, because the model stopped calling tools, is hung up first."""
    found = environment._finish()
    assert isinstance(found, Verdict)
    return found


def retail_environment(sandbox: Sandbox, *, agent: str = "trl") -> type[RetailEnvironment]:
    """The environment class, its tools read from the sandbox. One instance for each rollout at once, as TRL makes them.

    `reset` takes a row of `prompt_rows` and returns the customer's opening, which TRL appends to the prompt. Tool methods return
    what the tool said; errors of the shop are text for the model. Text mode only: TRL carries no sound in prompts.
    """

    def __init__(self: Any) -> None:
        self._environment = blocking.Environment(sandbox)
        self._trial = 0
        self._end = None

    def reset(self: Any, task_id: str, seed: int = 0, **_row: Any) -> str:
        opening = self._environment.reset(task_id, seed=int(seed), mode="text", agent=agent)
        self._end = opening.end
        return str(opening.text)

    def _act(self: Any, action: Action) -> str:
        feedback = self._environment.act(action)
        self._end = feedback.end
        if feedback.end is not None and not isinstance(action, HangUp):
            return f"{feedback.text}\n(The conversation is over.)".lstrip()
        return str(feedback.text)

    def _finish(self: Any) -> Any:
        if self._end is None:
            _act(self, HangUp())
        return self._end

    def close(self: Any) -> None:
        self._environment.close()

    members: dict[str, Any] = {
        **{"__init__": __init__, "reset": reset, "_finish": _finish, "_close": close},
        "__doc__": "One conversation with a customer of the shop.",
    }
    listing = blocking.Environment(sandbox)
    try:
        tools: tuple[ToolSchema, ...] = listing.tools()
    finally:
        listing.close()
    for tool in tools:
        members[tool.name] = make_method(tool.name, tool.description, tool.parameters, _doer(tool.name, _act))
    return type("RetailEnvironment", (), members)


def _doer(name: str, act: Any) -> Any:
    def do(self: Any, arguments: dict[str, Any]) -> str:
        if name == "respond_to_user":
            return str(act(self, Say(str(arguments["message"]))))
        return str(act(self, HangUp() if name == "done" else UseTool(name, arguments)))

    return do

