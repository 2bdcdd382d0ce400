"""Groups of rollouts against a real server: tests/clients/python.test.ts starts one."""

from __future__ import annotations

import asyncio
import random
import threading
import unittest
from contextlib import aclosing
from typing import Any, Sequence

from parlor_client import ConnectionFailedError, ProtocolFaultError
from parlor_rollouts import (
    Action,
    BatchOptions,
    Environment,
    EnvironmentRefusedError,
    Group,
    HangUp,
    Live,
    Policy,
    Sandbox,
    Say,
    UseTool,
    blocking,
    cancel_rollout,
    derive_seed,
    each,
    finish_rollout,
    list_tasks,
    list_tools,
    post_rollouts,
    rollout_groups,
)
from parlor_rollouts.frames import read_frame, read_opening
from parlor_rollouts.seeds import speaks

from .support import URL, CuttingProxy, needs_server, tasks

SANDBOX = Sandbox(URL)
QUICK = BatchOptions(rollouts=2, seed=7)


def whim(live: Live) -> Action:
    """What a policy that depends on its conversation alone does: whims, drawn from its seed."""
    draw = random.Random(live.policy_seed * 100 + len(live.steps))
    if len(live.steps) == 3:
        return HangUp()
    whims: list[Action] = [
        Say(f"May I have your name and zip code? {live.heard.text[:20]}"),
        UseTool("calculate", {"expression": f"{draw.randint(1, 9)} + 1"}),
        UseTool("get_order_details", {"order_id": "#W0000000"}),
        UseTool("calculate", '{"expression": '),
        UseTool("no_such_tool", {}),
    ]
    return draw.choice(whims)


async def whims(waiting: Sequence[Live]) -> list[Action]:
    return [whim(live) for live in waiting]


def names(count: int) -> list[str]:
    return [task["id"] for task in tasks()[:count]]


def story(group: Group) -> Any:
    """All that a trainer can see, but for the ids of records."""
    return (
        *(group.index, group.task, group.mode, group.seed, group.size),
        *[
            (r.place, r.policy_seed, r.opening, [(s.action, s.feedback.text, s.reward) for s in r.steps], r.reward)
            for r in group.rollouts
        ],
    )


async def collect(policy: Policy, options: BatchOptions, *, count: int = 3, sandbox: Sandbox = SANDBOX) -> list[Group]:
    return [group async for group in rollout_groups(sandbox, names(count), policy, options)]


def options_with(**changes: Any) -> BatchOptions:
    return BatchOptions(**{"rollouts": 2, "seed": 7, **changes})


class Seeds(unittest.TestCase):
    def test_shares_are_exact_wherever_one_stops(self) -> None:
        for share in (0.0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 1.0):
            for count in range(60):
                self.assertEqual(sum(speaks(share, place) for place in range(count)), int(count * share + 1e-9))

    def test_seeds_are_the_same_on_every_machine(self) -> None:
        self.assertEqual(derive_seed(7, "customer", 0), 625392684)
        self.assertEqual(len({derive_seed(7, "policy", group, place) for group in range(50) for place in range(8)}), 400)

    def test_options_that_make_no_sense_are_refused(self) -> None:
        for wrong in ({"rollouts": 0}, {"concurrency": 0}, {"speech_share": 1.1}, {"ahead": 0}, {"attempts": 0}):
            with self.assertRaises(ValueError):
                options_with(**wrong)


class Verdicts(unittest.TestCase):
    def end(self, **changes: Any) -> Any:
        facts = {"stop_reason": "agent_stop", "owner": "agent", "reward_info": {}, **changes.pop("metadata", {})}
        return read_opening({"observation": {}, "reward": 1.0, "done": True, "metadata": facts, **changes}).end

    def test_what_the_platform_or_the_customer_broke_does_not_count(self) -> None:
        self.assertTrue(self.end().counts)
        self.assertTrue(self.end(reward=0.0).counts)
        self.assertFalse(self.end(reward=None).counts)
        self.assertFalse(self.end(reward=0.0, metadata={"stop_reason": "customer_failed", "owner": "user"}).counts)

    def test_rubbish_is_a_fault_of_the_protocol_and_nothing_else(self) -> None:
        for frame in ("", "7", "[]", '{"type": "observation"}', '{"type": "state", "data": {}}', "[" * 5000, b"\xff"):
            with self.assertRaises(ProtocolFaultError):
                read_frame(frame, "observation")
        with self.assertRaises(ProtocolFaultError):
            self.end(metadata={"turn_rewards": [{"turn": "x"}]})


@needs_server
class Groups(unittest.IsolatedAsyncioTestCase):
    async def test_order_and_content_do_not_depend_on_concurrency_or_batching(self) -> None:
        once = [story(group) for group in await collect(whims, options_with(concurrency=1))]
        self.assertEqual([told[0] for told in once], [0, 1, 2])
        for changes in ({"concurrency": 16}, {"concurrency": 5, "gathering": "all"}, {"concurrency": 3, "ahead": 1}):
            self.assertEqual([story(group) for group in await collect(whims, options_with(**changes))], once)
        loose = await collect(whims, options_with(ordered=False))
        self.assertEqual(sorted(map(story, loose), key=lambda told: told[0]), once)

        async def alone(live: Live) -> Action:
            return whim(live)

        self.assertEqual([story(group) for group in await collect(each(alone), QUICK)], once)
        other = [story(group) for group in await collect(whims, options_with(seed=8))]
        self.assertNotEqual(other, once)

    async def test_a_stream_of_tasks_can_be_taken_up_where_it_was_left(self) -> None:
        whole = await collect(whims, QUICK)
        rest = rollout_groups(SANDBOX, names(3)[2:], whims, options_with(first_index=2))
        self.assertEqual([story(group) async for group in rest], [story(whole[2])])

    async def test_an_agent_that_knows_the_answer_is_rewarded_turn_by_turn(self) -> None:
        task = tasks()[0]
        script: list[Action] = [Say("Hello! How can I help you?")]
        script += [UseTool(call["name"], call["arguments"], note=number) for number, call in enumerate(task["calls"])]
        script += [Say("All done. " + " ".join(task["communicate"])), HangUp()]

        async def know(waiting: Sequence[Live]) -> list[Action]:
            return [script[len(live.steps)] for live in waiting]

        (group,) = await collect(know, options_with(rollouts=3), count=1)
        self.assertEqual((group.rewards, group.partial, group.failures), ([1.0] * 3, False, ()))
        rollout = group.rollouts[0]
        turns = [step.feedback.turn for step in rollout.steps if not isinstance(step.action, HangUp)]
        self.assertEqual(turns, list(range(1, len(turns) + 1)))
        self.assertEqual([turn.turn for turn in rollout.end.turns], turns)
        writes = [step for step in rollout.steps if isinstance(step.action, UseTool)]
        self.assertTrue(all(step.reward is not None and step.reward.reward >= 0 for step in writes))
        self.assertGreater(sum(step.reward.reward for step in writes if step.reward), 0)
        verdicts = [turn.verdict for turn in rollout.end.turns]
        kept = sum(verdict for verdict in verdicts if verdict is not None and verdict >= 0)
        self.assertAlmostEqual(rollout.end.score or 0, 10 + 5 * kept / len(turns) - 5 * (-1 in verdicts), 9)
        roles = [message["role"] for message in rollout.messages()]
        self.assertEqual(roles[:4], ["system", "user", "assistant", "user"])
        self.assertEqual(roles.count("tool"), len(task["calls"]))

    async def test_half_of_the_groups_are_spoken_and_then_nothing_can_be_read(self) -> None:
        async def greet(waiting: Sequence[Live]) -> list[Action]:
            return [HangUp() if live.steps else Say("Hello! May I have your name?") for live in waiting]

        groups = await collect(greet, options_with(speech_share=0.5), count=2)
        self.assertEqual([group.mode for group in groups], ["text", "speech"])
        for rollout in groups[1].rollouts:
            reply = rollout.steps[0].feedback
            for text, audio in ((rollout.opening.text, rollout.opening.audio), (reply.text, reply.audio)):
                self.assertEqual((text, audio and audio.sample_rate_hz), ("", 16_000))
        first, second = groups[1].rollouts
        self.assertEqual(first.opening.audio, second.opening.audio)
        part = second.messages()[1]["content"][0]
        self.assertEqual((part["type"], part["input_audio"]["format"]), ("input_audio", "wav"))

    async def test_no_more_is_begun_than_the_consumer_takes(self) -> None:
        begun: set[int] = set()

        async def note(waiting: Sequence[Live]) -> list[Action]:
            begun.update(live.group for live in waiting)
            return [HangUp() for _ in waiting]

        endless = (name for _ in iter(int, 1) for name in names(3))
        async with aclosing(rollout_groups(SANDBOX, endless, note, options_with(ahead=2))) as groups:
            for taken in range(1, 6):
                group = await anext(groups)
                self.assertEqual(group.index, taken - 1)
                self.assertLessEqual(max(begun), taken + 1)
        self.assertEqual(asyncio.all_tasks(), {asyncio.current_task()})

    async def test_leaving_the_loop_hangs_up_everything(self) -> None:
        stuck = asyncio.Event()

        async def freeze(live: Live) -> Action:
            if live.group > 0:
                await stuck.wait()
            return HangUp()

        async with aclosing(rollout_groups(SANDBOX, names(3), each(freeze), options_with(ahead=3))) as groups:
            async for _ in groups:
                break
        self.assertEqual(asyncio.all_tasks(), {asyncio.current_task()})

    async def test_all_that_run_are_asked_in_one_batch(self) -> None:
        sizes: list[int] = []

        async def count(waiting: Sequence[Live]) -> list[Action]:
            sizes.append(len(waiting))
            return [Say("Hello!") if not live.steps else HangUp() for live in waiting]

        await collect(count, options_with(rollouts=4, gathering="all", concurrency=8), count=2)
        self.assertEqual(sizes, [8, 8])

    async def test_what_the_policy_raises_reaches_the_consumer(self) -> None:
        async def fail(_: Sequence[Live]) -> list[Action]:
            raise RuntimeError("out of memory")

        async def forget(_: Sequence[Live]) -> list[Action]:
            return []

        for policy, words in ((fail, "out of memory"), (forget, "gave 0")):
            with self.assertRaisesRegex((RuntimeError, ValueError), words):
                await collect(policy, QUICK)
        with self.assertRaises(EnvironmentRefusedError) as refused:
            await anext(rollout_groups(SANDBOX, ["no-such-task"], whims, QUICK))
        self.assertEqual(refused.exception.code, "EXECUTION_ERROR")


@needs_server
class Failures(unittest.IsolatedAsyncioTestCase):
    async def test_what_the_platform_broke_is_done_again_with_the_same_seeds_and_labelled(self) -> None:
        once = await collect(whims, QUICK, count=2)
        async with CuttingProxy(URL) as proxy:
            cuts = iter([True])

            async def cut(waiting: Sequence[Live]) -> list[Action]:
                if any(live.steps for live in waiting) and next(cuts, False):
                    proxy.cut()
                return await whims(waiting)

            again = await collect(cut, options_with(gathering="all"), count=2, sandbox=Sandbox(proxy.url))
        self.assertEqual([story(group) for group in again], [story(group) for group in once])
        failures = [failure for group in again for failure in group.failures]
        self.assertGreater(len(failures), 0)
        self.assertEqual({(failure.cause, failure.again) for failure in failures}, {("connection", True)})
        redone = {(group.index, rollout.place) for group in again for rollout in group.rollouts if rollout.attempts == 2}
        self.assertEqual(len(redone), len(failures))

    async def test_a_group_that_stays_incomplete_says_so(self) -> None:
        async with CuttingProxy(URL) as proxy:

            async def cut(waiting: Sequence[Live]) -> list[Action]:
                proxy.cut(for_good=True)
                return await whims(waiting)

            options = options_with(attempts=2)
            (group,) = await collect(cut, options, count=1, sandbox=Sandbox(proxy.url))
        self.assertTrue(group.partial)
        self.assertEqual(group.rewards, [])
        self.assertEqual([failure.again for failure in group.failures if failure.place == 0], [True, False])

    async def test_an_answer_that_comes_too_late_costs_the_socket(self) -> None:
        hurried = Environment(Sandbox(URL, timeout_s=1e-9))
        with self.assertRaisesRegex(Exception, "no answer|cannot connect"):
            await hurried.reset(names(1)[0], seed=1)
        await hurried.close()


@needs_server
class Posted(unittest.IsolatedAsyncioTestCase):
    async def test_a_rollout_can_be_posted_twice_and_cancelled(self) -> None:
        asked = asyncio.Event()

        async def never_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.set()
            await reader.read()
            writer.close()

        async with await asyncio.start_server(never_answer, "127.0.0.1", 0) as gateway:
            port = gateway.sockets[0].getsockname()[1]
            name = f"stuck:{port}"
            address = f"http://127.0.0.1:{port}/v1"
            body = {"rollout_id": name, "task": names(1)[0], "seed": 1, "mode": "t-only", "base_url": address, "model": "m"}
            first, again = [(await asyncio.to_thread(post_rollouts, SANDBOX, [body]))[0] for _ in range(2)]
            self.assertEqual((first["rollout_id"], again["rollout_id"]), (name, name))
            await asked.wait()
            await asyncio.to_thread(cancel_rollout, SANDBOX, name)
            view = await asyncio.to_thread(finish_rollout, SANDBOX, name, generations=True)
            self.assertEqual((view["state"], view["generations"]), ("cancelled", []))
            with self.assertRaises(ConnectionFailedError) as refused:
                await asyncio.to_thread(post_rollouts, SANDBOX, [{**body, "seed": 2}])
            self.assertEqual(refused.exception.status, 409)


@needs_server
class WithoutAsync(unittest.TestCase):
    def test_gives_the_same_groups_and_asks_in_the_callers_thread(self) -> None:
        threads: set[int] = set()

        def policy(waiting: Sequence[Live]) -> list[Action]:
            threads.add(threading.get_ident())
            return [whim(live) for live in waiting]

        groups = list(blocking.rollout_groups(SANDBOX, names(2), policy, QUICK))
        self.assertEqual([story(g) for g in groups], [story(g) for g in asyncio.run(collect(whims, QUICK, count=2))])
        self.assertEqual(threads, {threading.get_ident()})

    def test_breaking_out_ends_the_thread_and_errors_come_through(self) -> None:
        for _ in blocking.rollout_groups(SANDBOX, names(3), lambda waiting: [HangUp() for _ in waiting], QUICK):
            break
        self.assertNotIn("parlor-rollouts", [thread.name for thread in threading.enumerate()])

        def fail(_: Sequence[Live]) -> list[Action]:
            raise RuntimeError("out of memory")

        with self.assertRaisesRegex(RuntimeError, "out of memory"):
            next(blocking.rollout_groups(SANDBOX, names(1), fail, QUICK))

    def test_lists_tasks_and_tools(self) -> None:
        self.assertIn(names(1)[0], list_tasks(SANDBOX))
        listed = {tool["function"]["name"] for tool in list_tools(SANDBOX)}
        self.assertLessEqual({"respond_to_user", "done", "get_order_details"}, listed)


