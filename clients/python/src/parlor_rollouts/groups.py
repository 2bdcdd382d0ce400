"""Groups of rollouts for online training: an async generator that plays as many conversations as the trainer takes.

    async with aclosing(rollout_groups(Sandbox("http://127.0.0.1:8710"), tasks, policy, rollouts=4)) as groups:
        async for group in groups:
            learn(group.rollouts, group.rewards)
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import AsyncGenerator, Iterable, Iterator, Sequence

from parlor_client import ConnectionFailedError, ConnectionLostError, ResponseTimeoutError

from .actions import Mode, Opening
from .environment import Environment, Sandbox, ToolSchema
from .frames import EnvironmentRefusedError
from .policy import Asking, Gathering, Policy
from .rollout import Cause, Failure, Group, Live, Rollout, Step, rewarded
from .seeds import derive_seed, speaks


@dataclass(frozen=True)
class BatchOptions:
    """`rollouts`: per group. `speech_share`: share of the groups whose customer speaks. `seed`: decides customers, modes and
    policy seeds. `concurrency`: conversations at once. `ahead`: groups begun beyond those taken (default: enough to keep
    `concurrency` busy). `attempts`: tries per rollout when the platform fails. `ordered`: groups come in the order of the
    tasks; otherwise as they are finished, with the same content. `first_index`: number of the first group, to go on with
    a stream of tasks where an earlier call left off."""

    rollouts: int = 4
    speech_share: float = 0.0
    seed: int = 0
    concurrency: int = 64
    ahead: int | None = None
    attempts: int = 3
    gathering: Gathering = "ready"
    ordered: bool = True
    agent: str = "trainer"
    first_index: int = 0

    def __post_init__(self) -> None:
        for name, least in (("rollouts", 1), ("concurrency", 1), ("attempts", 1), ("first_index", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}; got {getattr(self, name)}")
        if not 0 <= self.speech_share <= 1:
            raise ValueError(f"speech_share must be from 0 to 1; got {self.speech_share}")
        if self.ahead is not None and self.ahead < 1:
            raise ValueError(f"ahead must be at least 1; got {self.ahead}")

    @property
    def window(self) -> int:
        """Groups that may be under way or finished and not taken."""
        return self.ahead if self.ahead is not None else max(1, -(-self.concurrency // self.rollouts))


class _PlatformFailure(Exception):
    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.cause: Cause = cause


@dataclass(frozen=True)
class _Plan:
    index: int
    task: str
    mode: Mode
    seed: int


class _Players:
    """Plays rollouts with at most `concurrency` sockets, which are used again."""

    def __init__(self, sandbox: Sandbox, policy: Policy, options: BatchOptions) -> None:
        self._sandbox = sandbox
        self._options = options
        self._asking = Asking(policy, options.gathering)
        self._seats = asyncio.Semaphore(options.concurrency)
        self._idle: list[Environment] = []
        self._tools: Sequence[ToolSchema] | None = None

    async def close(self) -> None:
        await self._asking.close()
        await asyncio.gather(*(environment.close() for environment in self._idle), return_exceptions=True)

    async def group(self, plan: _Plan) -> Group:
        size = self._options.rollouts
        played = [asyncio.create_task(self._rollout(plan, place)) for place in range(size)]
        try:
            results = await asyncio.gather(*played)
        finally:
            for task in played:
                task.cancel()
            await asyncio.gather(*played, return_exceptions=True)
        rollouts = tuple(rollout for rollout, _ in results if rollout is not None)
        failures = tuple(failure for _, each in results for failure in each)
        return Group(plan.index, plan.task, plan.mode, plan.seed, rollouts, failures, size)

    async def _rollout(self, plan: _Plan, place: int) -> tuple[Rollout | None, list[Failure]]:
        failures: list[Failure] = []
        most = self._options.attempts
        for attempt in range(1, most + 1):
            async with self._seats:
                try:
                    return await self._attempt(plan, place, attempt), failures
                except _PlatformFailure as failure:
                    failures.append(Failure(place, attempt, failure.cause, str(failure), attempt < most))
            # A sandbox that was restarted, or is full, is not asked again at once.
            if attempt < most:
                await asyncio.sleep(min(5.0, 0.1 * 2**attempt))
        return None, failures

    async def _attempt(self, plan: _Plan, place: int, attempt: int) -> Rollout:
        environment = self._idle.pop() if self._idle else Environment(self._sandbox)
        self._asking.enter()
        healthy = False
        try:
            rollout = await self._play(environment, plan, place, attempt)
            healthy = True
            return rollout
        except _PlatformFailure:
            raise
        except (ConnectionFailedError, ConnectionLostError) as error:
            raise _PlatformFailure("connection", str(error)) from error
        except ResponseTimeoutError as error:
            raise _PlatformFailure("timeout", str(error)) from error
        except EnvironmentRefusedError as error:
            if error.code not in ("CAPACITY_REACHED", "SESSION_ERROR", "FACTORY_ERROR"):
                # Not the platform's: an unknown task, a mode that is not served. To try again would hide it.
                raise
            raise _PlatformFailure("refused", str(error)) from error
        finally:
            self._asking.leave()
            if healthy:
                self._idle.append(environment)
            else:
                await environment.close()

    async def _play(self, environment: Environment, plan: _Plan, place: int, attempt: int) -> Rollout:
        opening: Opening = await environment.reset(
            plan.task, seed=plan.seed, mode=plan.mode, agent=self._options.agent, trial=place
        )
        if self._tools is None:
            self._tools = await environment.tools()
        policy_seed = derive_seed(self._options.seed, "policy", plan.index, place)
        live = Live(plan.index, place, plan.task, plan.mode, plan.seed, policy_seed, self._tools, opening)
        end = environment.end
        while end is None:
            action = await self._asking.ask(live)
            feedback = await environment.act(action)
            live.steps.append(Step(action, feedback))
            end = feedback.end
        if not end.counts:
            cause: Cause = "customer" if end.reason == "customer_failed" else "platform"
            raise _PlatformFailure(cause, f"the episode ended as {end.reason}, owner {end.owner}")
        return Rollout(
            *(plan.index, place, plan.task, plan.mode, plan.seed, policy_seed, opening),
            steps=rewarded(live.steps, end),
            end=end,
            attempts=attempt,
            notes=live.notes,
        )


def _plans(tasks: Iterable[str], options: BatchOptions) -> Iterator[_Plan]:
    for index, task in enumerate(tasks, options.first_index):
        mode: Mode = "speech" if speaks(options.speech_share, index) else "text"
        yield _Plan(index, task, mode, derive_seed(options.seed, "customer", index))


async def rollout_groups(
    sandbox: Sandbox, tasks: Iterable[str], policy: Policy, options: BatchOptions = BatchOptions()
) -> AsyncGenerator[Group, None]:
    """A group for each of `tasks` (which may be endless), played with `policy`.

    The same tasks, seed and policy give the same groups at any `concurrency`, as long as the policy's answer depends on its
    conversation alone. Groups are begun only as the consumer takes them, so a trainer that learns for a while finds the sandbox
    at rest. Leaving the loop hangs up everything; with `contextlib.aclosing` at once, otherwise soon after.
    Raises what the policy raises, and `EnvironmentRefusedError` for what trying again cannot mend.
    """
    players = _Players(sandbox, policy, options)
    plans = _plans(tasks, options)
    running: list[asyncio.Task[Group]] = []
    try:
        while True:
            while len(running) < options.window:
                plan = next(plans, None)
                if plan is None:
                    break
                running.append(asyncio.create_task(players.group(plan), name=f"parlor group {plan.index}"))
            if not running:
                return
            # A failure anywhere is a failure now, not when its group's turn comes.
            waited = set(running)
            while True:
                done, waited = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                if not options.ordered or running[0].done():
                    break
            taken = running[0] if options.ordered else next(task for task in running if task.done())
            running.remove(taken)
            yield taken.result()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await players.close()
