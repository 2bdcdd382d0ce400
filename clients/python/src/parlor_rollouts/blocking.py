"""The same groups without `async`, for trainers that are one loop.

    for group in blocking.rollout_groups(Sandbox("http://127.0.0.1:8710"), tasks, policy):
        learn(group.rollouts, group.rewards)
"""

from __future__ import annotations

import asyncio
import queue
import threading
from typing import Callable, Generator, Iterable, Sequence

from parlor_client.blocking import _loop

from .actions import Action, Feedback, Mode, Opening, Verdict
from .environment import Environment as AsyncEnvironment
from .environment import Sandbox, ToolSchema
from .groups import BatchOptions
from .groups import rollout_groups as async_rollout_groups
from .rollout import Group, Live

BlockingPolicy = Callable[[Sequence[Live]], Sequence[Action]]


class Environment:
    """As `parlor_rollouts.Environment`, without `await`. Its socket lives in a thread of its own and stays alive meanwhile."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._environment = AsyncEnvironment(sandbox)

    @property
    def end(self) -> Verdict | None:
        return self._environment.end

    def reset(self, task: str, *, seed: int, mode: Mode = "text", agent: str = "trainer", trial: int = 0) -> Opening:
        return _loop.run(self._environment.reset(task, seed=seed, mode=mode, agent=agent, trial=trial))

    def act(self, action: Action) -> Feedback:
        return _loop.run(self._environment.act(action))

    def tools(self) -> tuple[ToolSchema, ...]:
        return _loop.run(self._environment.tools())

    def close(self) -> None:
        _loop.run(self._environment.close())


class _Question:
    def __init__(self, waiting: Sequence[Live], answer: asyncio.Future[Sequence[Action]]) -> None:
        self.waiting = waiting
        self.answer = answer


def _settle(answer: asyncio.Future[Sequence[Action]], actions: Sequence[Action] | Exception) -> None:
    if answer.done():
        return
    if isinstance(actions, Exception):
        answer.set_exception(actions)
    else:
        answer.set_result(actions)


def rollout_groups(
    sandbox: Sandbox, tasks: Iterable[str], policy: BlockingPolicy, options: BatchOptions = BatchOptions()
) -> Generator[Group, None, None]:
    """As `parlor_rollouts.rollout_groups`. `policy` is called in the caller's own thread, while it waits for the next group: never
    while it learns, so the weights are those of the moment. Sockets live in a thread of their own and stay alive meanwhile.
    """
    told: queue.SimpleQueue[Group | _Question | BaseException | None] = queue.SimpleQueue()
    wanted = threading.Semaphore(0)
    loop = asyncio.new_event_loop()

    async def ask(waiting: Sequence[Live]) -> Sequence[Action]:
        question = _Question(waiting, loop.create_future())
        told.put(question)
        return await question.answer

    async def play() -> None:
        groups = async_rollout_groups(sandbox, tasks, ask, options)
        try:
            async for group in groups:
                told.put(group)
                # The next one is begun when it is asked for: without this the window would move on by itself.
                await loop.run_in_executor(None, wanted.acquire)
            told.put(None)
        except Exception as error:
            told.put(error)
        finally:
            await groups.aclose()

    def run() -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(playing)
        except asyncio.CancelledError:
            pass
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

    playing = loop.create_task(play())
    thread = threading.Thread(target=run, name="parlor-rollouts", daemon=True)
    thread.start()
    try:
        while True:
            item = told.get()
            if isinstance(item, _Question):
                try:
                    actions: Sequence[Action] | Exception = policy(item.waiting)
                except Exception as error:
                    actions = error
                loop.call_soon_threadsafe(_settle, item.answer, actions)
            elif item is None:
                return
            elif isinstance(item, BaseException):
                raise item
            else:
                yield item
                wanted.release()
    finally:
        wanted.release()
        if thread.is_alive():
            try:
                loop.call_soon_threadsafe(playing.cancel)
            except RuntimeError:
                pass  # It had just ended by itself.
        thread.join()
