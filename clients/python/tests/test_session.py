"""The client against a real server: tests/clients/python.test.ts starts one."""

from __future__ import annotations

import asyncio
import threading
import unittest

from parlor_client import (
    Audio,
    AudioFormat,
    AudioPiece,
    Call,
    ConnectionFailedError,
    ConnectionLostError,
    EpisodeOverError,
    MessageRefusedError,
    NothingSaidError,
    Reply,
    ResponseTimeoutError,
    Session,
    WordTime,
    blocking,
    connect,
)

from .support import URL, CuttingProxy, needs_server, play_right, tasks


@needs_server
class InText(unittest.IsolatedAsyncioTestCase):
    async def test_an_agent_that_knows_the_answer_gets_reward_1(self) -> None:
        async with connect(URL) as session:
            self.assertEqual(session.hello.protocol, "parlor/1")
            for task in tasks()[:3]:
                async with session.episode(task["id"], seed=1, agent="python") as episode:
                    self.assertIsNotNone(episode.opening and episode.opening.text)
                    self.assertGreaterEqual(len(episode.ready.tools), 10)
                    end = await play_right(episode, task)
                self.assertIn(end.reason, ("agent_stop", "customer_stop"))
                self.assertEqual((end.reward, end.outcome and end.outcome.success), (1.0, True))

    async def test_calls_in_one_message_end_in_order_and_failures_are_results(self) -> None:
        async with connect(URL) as session, session.episode(tasks()[0]["id"]) as episode:
            calls = [
                Call("calculate", {"expression": "1 + 1"}),
                Call("no_such_tool", {}),
                Call("calculate", '{"expression": "2 * 3"}', "mine"),
            ]
            first, second, third = await episode.call_many(calls, reasoning="three at once")
            self.assertEqual((first.ok, first.content, second.status), (True, "2", "error"))
            self.assertEqual((third.call_id, third.content, episode.turn), ("mine", "6", 3))
            again = await episode.call("calculate", {"expression": "2 * 3"}, call_id="mine")
            self.assertEqual((again.repeated, again.content, episode.turn), (True, "6", 3))

    async def test_a_loop_gives_what_the_customer_says_until_the_end(self) -> None:
        async with connect(URL) as session, session.episode(tasks()[0]["id"], seed=1) as episode:
            heard: list[str | None] = []
            async for customer in episode:
                heard.append(customer.text)
                if len(heard) == 1:
                    self.assertIs(customer, episode.opening)
                    reply = await episode.say("Hello! May I have your name and zip code?")
                else:
                    self.assertIs(customer, reply.customer)
                    await episode.call("calculate", {"expression": "1 + 1"})
                    await episode.stop()
            self.assertEqual(len(heard), 2)
            self.assertEqual(episode.end and episode.end.reason, "agent_stop")
            self.assertEqual([customer async for customer in episode], [])

    async def test_a_loop_that_answers_nothing_is_told_so_and_does_not_spin(self) -> None:
        async with connect(URL) as session, session.episode(tasks()[0]["id"], seed=1) as episode:
            with self.assertRaises(NothingSaidError):
                async for customer in episode:
                    await episode.call("calculate", {"expression": "1 + 1"})
            self.assertEqual(episode.turn, 1)
            # What it said to the next words is given again.
            reply = await episode.say("Hello!")
            async for customer in episode:
                self.assertIs(customer, reply.customer)
                break
            self.assertIsNone(episode.end)

    async def test_refusals_leave_the_turn_where_it_was(self) -> None:
        async with connect(URL) as session:
            with self.assertRaises(MessageRefusedError) as refused:
                async with session.episode("no-such-task"):
                    pass
            self.assertEqual(refused.exception.code, "unknown_task")
            async with session.episode(tasks()[0]["id"]) as episode:
                with self.assertRaises(MessageRefusedError) as refused:
                    await episode.say("x" * 20_001)
                self.assertEqual(refused.exception.code, "bad_message")
                self.assertIsNotNone((await episode.say("Hello?")).customer)

    async def test_after_the_end_actions_say_so_and_the_block_swallows_it(self) -> None:
        async with connect(URL) as session:
            async with session.episode(tasks()[0]["id"]) as episode:
                end = await episode.stop("context_limit", detail="8,192 tokens")
                self.assertEqual(end.reason, "context_limit")
                self.assertIs(await episode.stop(), end)
                await episode.say("Are you there?")
                self.fail("the episode was over")
            async with session.episode(tasks()[0]["id"]) as other:
                with self.assertRaises(EpisodeOverError):
                    await other.stop()
                    await other.call("calculate", {"expression": "1"})

    async def test_an_agent_that_breaks_ends_as_agent_failed(self) -> None:
        async with connect(URL) as session:
            with self.assertRaises(ZeroDivisionError):
                async with session.episode(tasks()[0]["id"]) as episode:
                    raise ZeroDivisionError("model fell over")
            self.assertEqual(episode.end and episode.end.reason, "agent_failed")

    async def test_who_is_not_let_in_is_told_why(self) -> None:
        with self.assertRaises(ConnectionFailedError) as failed:
            await connect(URL.replace("/v1", "/v2"))
        self.assertEqual(failed.exception.status, 404)
        with self.assertRaisesRegex(ConnectionFailedError, "parlor serve"):
            await connect("ws://127.0.0.1:9/v1")
        with self.assertRaisesRegex(ConnectionFailedError, "expected ws://"):
            await connect("http://127.0.0.1:9/v1")


@needs_server
class InSpeech(unittest.IsolatedAsyncioTestCase):
    async def test_sound_comes_as_asked_for_with_offsets_that_run_on(self) -> None:
        formats = [
            AudioFormat(),
            AudioFormat("pcm16", 24_000, "base64", 50),
            AudioFormat("pcm16", 8_000, "binary", 20),
            AudioFormat("mulaw", 8_000, "base64", 200),
        ]
        lengths: list[float] = []
        async with connect(URL) as session:
            for wanted in formats:
                pieces: list[AudioPiece] = []
                async with session.episode(
                    tasks()[0]["id"], mode="speech", audio=wanted, window=4_096, on_audio=pieces.append
                ) as episode:
                    self.assertEqual(episode.ready.audio, wanted)
                    opening = episode.opening
                    assert opening is not None and opening.audio is not None
                    self.assertIsNone(opening.text)
                    lengths.append(opening.audio.duration_ms)
                    reply = await episode.say("Pardon?")
                    assert reply.customer is not None and reply.customer.audio is not None
                    self.assertGreater(max(opening.audio.pcm16()), 500)
                    spoken = len(opening.audio) + len(reply.customer.audio)
                offset = 0
                for piece in pieces:
                    self.assertEqual(piece.sample_offset, offset)
                    offset += len(piece.audio)
                self.assertEqual(offset, spoken)
        self.assertLess(max(lengths) - min(lengths), 1)

    async def test_breaking_in_stops_the_customer(self) -> None:
        async with connect(URL) as session:
            heard = 0
            tasks_started: list[asyncio.Task[None]] = []

            def listen(piece: AudioPiece) -> None:
                nonlocal heard
                heard += len(piece.audio)
                if piece.utterance == 1 and not tasks_started:
                    tasks_started.append(asyncio.create_task(episode.interrupt(heard)))

            audio = AudioFormat(frame_ms=20)
            episode = session.episode(
                tasks()[0]["id"], mode="speech", pacing="realtime", audio=audio, on_audio=listen
            )
            async with episode:
                reply = await episode.say("And what is your name, please?")
                assert reply.customer is not None
                self.assertTrue(reply.customer.interrupted)
                self.assertIsNotNone((await episode.call("calculate", {"expression": "1"})).content)

    async def test_the_agents_own_voice_is_taken_with_its_words(self) -> None:
        async with connect(URL) as session, session.episode(tasks()[0]["id"], mode="speech") as episode:
            opening = episode.opening
            assert opening is not None and opening.audio is not None
            self.assertIsNotNone((await episode.say("How can I help?", speech=opening.audio)).customer)
            number = await episode.upload_speech(opening.audio, transcript="Pardon me?")
            self.assertIsNotNone((await episode.say(speech=number)).customer)
            with self.assertRaises(ValueError):
                await episode.say("Nothing.", speech=Audio(b"", "pcm16", 16_000))
            with self.assertRaises(MessageRefusedError):
                await episode.say("What?", speech=99)

    async def test_with_turn_taking_the_customer_murmurs_and_breaks_in_and_has_heard_the_words_that_were_over(self) -> None:
        async with connect(URL) as session:
            self.assertIn("turn_taking", session.hello.capabilities)
            # Which of them breaks in is the seed's choice; the same seed always does the same.
            for seed in range(1, 11):
                reply, voice, words = await self.talk_at_length(session, seed)
                if reply.broke_in is not None and reply.asides:
                    break
            else:
                self.fail("ten customers in a row neither murmured nor broke in")
        broke_in = reply.broke_in
        assert broke_in is not None and reply.customer is not None
        self.assertLess(broke_in.heard_samples, len(voice))
        over = [word for word, _, end in words if end <= broke_in.heard_samples]
        self.assertEqual(broke_in.heard_text.split(), over)
        for aside in reply.asides:
            self.assertIsNotNone(aside.audio)
        self.assertIsNotNone(reply.customer.audio)

    async def talk_at_length(self, session: Session, seed: int) -> tuple[Reply, Audio, list[WordTime]]:
        """Says half a minute of numbered words in the customer's own voice, with the place of each."""
        async with session.episode(tasks()[0]["id"], mode="speech", seed=seed, turn_taking="lively") as episode:
            self.assertEqual(episode.ready.turn_taking, "lively")
            assert episode.opening is not None and episode.opening.audio is not None
            spoken = episode.opening.audio
            rounds = -(-30 * spoken.sample_rate_hz // len(spoken))
            voice = Audio(spoken.data * rounds, spoken.encoding, spoken.sample_rate_hz)
            step = spoken.sample_rate_hz // 2
            words: list[WordTime] = [
                (f"w{place}", place * step, (place + 1) * step) for place in range(len(voice) // step)
            ]
            text = " ".join(word for word, _, _ in words)
            number = await episode.upload_speech(voice, transcript=text, words=words)
            reply = await episode.say(text, speech=number)
        return reply, voice, words


@needs_server
class WithABadLine(unittest.IsolatedAsyncioTestCase):
    async def test_a_lost_connection_is_resumed_without_loss_or_double(self) -> None:
        task = tasks()[0]
        async with CuttingProxy(URL) as proxy, connect(proxy.url) as session:
            async with session.episode(task["id"], seed=3, agent="cut") as episode:
                for place, call in enumerate(task["calls"]):
                    working = asyncio.create_task(episode.call(call["name"], call["arguments"]))
                    if place % 2 == 0:
                        await asyncio.sleep(0)
                    proxy.cut()
                    self.assertTrue((await working).ok)
                self.assertEqual(episode.turn, len(task["calls"]))
                proxy.cut()
                await episode.say("Done. " + " ".join(task["communicate"]))
                end = await episode.stop()
            self.assertEqual(end.reward, 1.0)
            self.assertGreater(session.resumed, 0)
            self.assertGreater(proxy.connections, 1)

    async def test_a_cut_while_the_customer_speaks_loses_no_sample(self) -> None:
        async with CuttingProxy(URL) as proxy, connect(proxy.url) as session:
            cuts = 0

            def listen(piece: AudioPiece) -> None:
                nonlocal cuts
                if piece.utterance > 0 and cuts < 3:
                    cuts += 1
                    proxy.cut()

            audio = AudioFormat(frame_ms=20)
            async with session.episode(
                tasks()[0]["id"], mode="speech", audio=audio, window=4_096, on_audio=listen
            ) as episode:
                reply = await episode.say("Pardon?")
                # `Utterance` checks its samples against `customer.end`; the session checks every number.
                assert reply.customer is not None and reply.customer.audio is not None
                self.assertIsNotNone((await episode.say("Go on.", speech=reply.customer.audio)).customer)
            self.assertGreater(session.resumed, 0)

    async def test_between_episodes_a_new_session_is_as_good(self) -> None:
        async with CuttingProxy(URL) as proxy, connect(proxy.url) as session:
            for seed in range(3):
                async with session.episode(tasks()[0]["id"], seed=seed) as episode:
                    self.assertIsNotNone(episode.opening)
                proxy.cut()

    async def test_without_resume_the_loss_is_an_error(self) -> None:
        async with CuttingProxy(URL) as proxy, connect(proxy.url, resume=False) as session:
            with self.assertRaises(ConnectionLostError):
                async with session.episode(tasks()[0]["id"]) as episode:
                    proxy.cut()
                    await episode.say("Hello?")

    async def test_a_time_limit_is_kept(self) -> None:
        async with connect(URL) as session:
            with self.assertRaises(ResponseTimeoutError):
                async with session.episode(
                    tasks()[0]["id"], mode="speech", pacing="realtime", timeout_s=0.05
                ) as episode:
                    await episode.say("Hello?")


@needs_server
class Blocking(unittest.TestCase):
    def test_plays_in_several_threads_at_once(self) -> None:
        rewards: list[float | None] = []

        def play(seed: int) -> None:
            task = tasks()[seed]
            with blocking.connect(URL) as session:
                with session.episode(task["id"], seed=seed, agent="blocking") as episode:
                    self.assertGreater(len(episode.ready.policy), 0)
                    for customer in episode:
                        episode.say("Hello!")
                        break
                    for call in task["calls"]:
                        episode.call(call["name"], call["arguments"])
                    episode.say("Done. " + " ".join(task["communicate"]))
                rewards.append(episode.end.reward if episode.end else None)

        threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(rewards, [1.0] * 4)

    def test_a_loop_gives_what_the_customer_says_until_the_end(self) -> None:
        with blocking.connect(URL) as session, session.episode(tasks()[0]["id"]) as episode:
            turns = []
            for customer in episode:
                turns.append(customer.turn)
                episode.say("Hello!") if len(turns) == 1 else episode.stop()
            self.assertEqual(turns, [0, 1])

    def test_errors_come_through(self) -> None:
        with self.assertRaises(ConnectionFailedError):
            blocking.connect("ws://127.0.0.1:9/v1")
