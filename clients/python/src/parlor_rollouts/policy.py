"""Asks a policy for actions: one conversation at a time, or for all that wait in one batch."""

from __future__ import annotations

import asyncio
from typing import Awaitable, Callable, Literal, Sequence

from .actions import Action
from .rollout import Live

#: Called with the conversations that wait; returns an action for each, in the same order.
Policy = Callable[[Sequence[Live]], Awaitable[Sequence[Action]]]

#: "ready": the policy is called as soon as it is free, with all that wait then. "all": when every running conversation waits
#: (reset N, step all), so that batches are as large as they can be and the slowest sets the pace.
Gathering = Literal["ready", "all"]


class each:
    """A policy made of one that answers a single conversation, for engines that batch by themselves (vLLM, SGLang).

    Nobody waits for anybody: with "ready" every conversation is answered by itself.
    """

    def __init__(self, policy: Callable[[Live], Awaitable[Action]]) -> None:
        self._policy = policy

    async def __call__(self, waiting: Sequence[Live]) -> Sequence[Action]:
        return await asyncio.gather(*map(self._policy, waiting))


class Asking:
    """Collects the conversations that wait and calls the policy for them: one batch at a time, unless it is an `each`."""

    def __init__(self, policy: Policy, gathering: Gathering) -> None:
        self._policy = policy
        self._gathering = gathering
        self._running = 0
        self._waiting: list[tuple[Live, asyncio.Future[Action]]] = []
        self._calls: set[asyncio.Task[None]] = set()
        self._kick: asyncio.Handle | None = None

    def enter(self) -> None:
        """A conversation starts: "all" waits for it too."""
        self._running += 1

    def leave(self) -> None:
        """It is over, or was given up."""
        self._running -= 1
        self._look()

    async def ask(self, live: Live) -> Action:
        answer: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        entry = (live, answer)
        self._waiting.append(entry)
        self._look()
        try:
            return await answer
        finally:
            if entry in self._waiting:
                self._waiting.remove(entry)

    async def close(self) -> None:
        if self._kick is not None:
            self._kick.cancel()
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)

    def _look(self) -> None:
        if not self._waiting or self._kick is not None:
            return
        # Whoever becomes ready in the same round of the loop shall be in the same batch.
        self._kick = asyncio.get_running_loop().call_soon(self._call)

    def _call(self) -> None:
        self._kick = None
        if not self._waiting or (self._gathering == "all" and len(self._waiting) < self._running):
            return
        alone = isinstance(self._policy, each)
        if self._calls and not alone:
            return
        waiting, self._waiting = self._waiting, []
        for batch in [[entry] for entry in waiting] if alone else [waiting]:
            call = asyncio.create_task(self._answer(batch), name="parlor policy")
            self._calls.add(call)
            call.add_done_callback(self._answered)

    def _answered(self, call: asyncio.Task[None]) -> None:
        self._calls.discard(call)
        self._look()

    async def _answer(self, batch: list[tuple[Live, asyncio.Future[Action]]]) -> None:
        try:
            actions = await self._policy([live for live, _ in batch])
            if len(actions) != len(batch):
                raise ValueError(f"the policy was asked for {len(batch)} actions and gave {len(actions)}")
            for (_, answer), action in zip(batch, actions):
                if not answer.done():
                    answer.set_result(action)
        except Exception as error:
            for _, answer in batch:
                if not answer.done():
                    answer.set_exception(error)
