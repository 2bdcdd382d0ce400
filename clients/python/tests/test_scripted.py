"""The client against a sandbox that follows a script, for what a real one does only by chance or not yet."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any, Awaitable, Callable

from websockets.asyncio.server import Server, ServerConnection, serve

from parlor_client import Call, InterventionError, ProtocolFaultError, connect

HELLO: dict[str, Any] = {
    **{"type": "hello", "seq": 1, "protocol": "parlor/1", "server": "script", "modes": ["text"]},
    **{"capabilities": ["resume", "telepathy"], "audio": [], "pacings": ["fast"]},
    **{"session": "s", "resumeToken": "t", "graceMs": 10_000},
    "limits": {
        **{"maxTurns": 30, "maxErrors": 10, "agentTimeoutMs": 0, "maxMessageBytes": 100_000, "maxFrameBytes": 100_000},
        **{"maxCallsPerMessage": 16, "maxSpeechMs": 0, "maxRefused": 100, "maxUnreadBytes": 100_000},
        **{"maxConnectionsPerAddress": 0, "handshakeTimeoutMs": 0, "idleTimeoutMs": 0, "heartbeatMs": 0},
    },
}
READY: dict[str, Any] = {
    **{"type": "episode.ready", "episode": "e", "task": "a", "mode": "text", "policy": "Be kind.", "tools": []},
    **{"audio": None, "pacing": "fast", "mcp": None},
}
END: dict[str, Any] = {
    **{"type": "episode.end", "turn": 9, "episode": "e", "reason": "agent_stop", "owner": "agent", "outcome": None},
}


def spoken(turn: int, text: str) -> list[dict[str, Any]]:
    return [
        {"type": "customer.start", "turn": turn, "utterance": turn, "form": "text", "sampleOffset": 0},
        {"type": "customer.text", "utterance": turn, "text": text},
        {
            **{"type": "customer.end", "turn": turn, "utterance": turn, "durationMs": 0, "samples": 0},
            **{"interrupted": False, "final": False},
        },
    ]


class Line:
    """One connection, seen from the sandbox."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self.seq = 0

    async def send(self, *events: dict[str, Any]) -> None:
        for event in events:
            self.seq += 1
            await self._socket.send(json.dumps({**event, "seq": self.seq}))

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self._socket.recv())
        return message

    async def ping(self) -> None:
        """Everything that was sent has been read by the other side's WebSocket."""
        await (await self._socket.ping())

    def cut(self) -> None:
        self._socket.transport.abort()

    async def begin(self) -> None:
        """Up to the agent's first turn."""
        await self.send(HELLO)
        assert (await self.receive())["type"] == "episode.start"
        await self.send(READY, *spoken(0, "Hello."))


Script = Callable[[Line], Awaitable[None]]


class Scripted(unittest.IsolatedAsyncioTestCase):
    async def serve(self, *scripts: Script) -> str:
        """A script for each connection. What one of them finds wrong fails the test."""
        waiting = list(scripts)
        self.faults: list[BaseException] = []

        async def play(socket: ServerConnection) -> None:
            try:
                await waiting.pop(0)(Line(socket))
            except Exception as error:
                self.faults.append(error)

        server: Server = await serve(play, "127.0.0.1", 0)
        self.addAsyncCleanup(server.wait_closed)
        self.addCleanup(server.close)
        return f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    def tearDown(self) -> None:
        self.assertEqual(self.faults, [])

    async def test_events_fields_and_capabilities_of_a_newer_sandbox_are_passed_over(self) -> None:
        async def script(line: Line) -> None:
            await line.send({**HELLO, "mood": "good"}, {"type": "weather.changed", "sun": True})
            await line.receive()
            start, text, end = spoken(0, "Hello.")
            news = {"type": "customer.mood", "utterance": 0, "mood": "annoyed"}
            await line.send(READY, news, start, news, text, news, end, news)
            await line.receive()
            await line.send(news, END)

        async with connect(await self.serve(script)) as session:
            self.assertEqual(session.hello.capabilities, ("resume",))
            async with session.episode("a") as episode:
                self.assertEqual(episode.opening and episode.opening.text, "Hello.")
            self.assertEqual(episode.end and episode.end.reason, "agent_stop")

    async def test_their_numbers_count(self) -> None:
        async def script(line: Line) -> None:
            await line.send(HELLO)
            line.seq += 1
            await line.send({"type": "weather.changed"})

        async with connect(await self.serve(script)) as session:
            with self.assertRaisesRegex(ProtocolFaultError, "expected event number 2, got 3"):
                async with session.episode("a"):
                    pass

    async def test_nothing_is_sent_again_before_everything_has_come_again(self) -> None:
        order: list[str] = []

        async def first(line: Line) -> None:
            await line.begin()
            order.append((await line.receive())["type"])
            line.cut()

        async def second(line: Line) -> None:
            await line.send(HELLO)
            resume = await line.receive()
            order.append(f"{resume['type']} {resume['lastSeq']}")
            await line.send(
                {
                    **{"type": "session.resumed", "session": "s", "lastSeq": 5, "turn": 0},
                    **{"lastMessageId": "m1", "replayed": 3},
                }
            )
            # What comes now was sent before the line went; a message that overtakes it shows up here.
            line.seq = 5
            news = {"type": "weather.changed"}
            await line.send(news, news)
            overtaking = asyncio.create_task(line.receive())
            for _ in range(3):
                await line.ping()
            order.append("too early" if overtaking.done() else "silence")
            await line.send(news)
            order.append((await overtaking)["messageId"])
            await line.send(*spoken(1, "Good."))
            await line.receive()
            await line.send(END)

        async with connect(await self.serve(first, second)) as session:
            async with session.episode("a") as episode:
                reply = await episode.say("Hello!")
                self.assertEqual(reply.customer and reply.customer.text, "Good.")
        self.assertEqual(order, ["agent.message", "session.resume 5", "silence", "m2"])

    async def test_what_was_taken_or_refused_before_the_cut_is_not_sent_again(self) -> None:
        for answer in ([{"type": "error", "code": "bad_message", "message": "no", "messageId": "m2"}], spoken(1, "Good.")):
            taken = answer[0]["type"] != "error"

            async def first(line: Line) -> None:
                await line.begin()
                await line.receive()
                line.cut()

            async def second(line: Line) -> None:
                await line.send(HELLO)
                await line.receive()
                await line.send(
                    {
                        **{"type": "session.resumed", "session": "s", "lastSeq": 5, "turn": 0},
                        **{"lastMessageId": "m2" if taken else "m1", "replayed": len(answer)},
                    }
                )
                line.seq = 5
                await line.send(*answer)
                message = await line.receive()
                if message["type"] != "agent.stop":
                    raise AssertionError(f"sent again: {message}")
                await line.send(END)

            async with connect(await self.serve(first, second)) as session:
                async with session.episode("a") as episode:
                    if taken:
                        self.assertIsNotNone((await episode.say("Hello!")).customer)
                    else:
                        with self.assertRaisesRegex(Exception, "bad_message"):
                            await episode.say("Hello!")

    async def test_a_customer_that_breaks_in_is_told_with_what_it_heard_and_what_it_said_besides(self) -> None:
        async def script(line: Line) -> None:
            await line.send(HELLO)
            self.assertEqual((await line.receive())["turnTaking"], "lively")
            await line.send(READY, *spoken(0, "Hello."))
            await line.receive()
            start, text, end = spoken(1, "mm-hmm")
            await line.send({**start, "aside": "backchannel", "callSample": 5}, text, end)
            heard = {"callSample": 9, "heardSamples": 4, "heardMs": 0.25, "heardText": "I can"}
            await line.send({"type": "agent.interrupted", "turn": 1, **heard}, *spoken(2, "Wait!"))
            await line.receive()
            await line.send(END)

        async with connect(await self.serve(script)) as session:
            async with session.episode("a", turn_taking="lively") as episode:
                reply = await episode.say("I can help with that.")
                self.assertEqual(reply.customer and reply.customer.text, "Wait!")
                self.assertEqual([aside.text for aside in reply.asides], ["mm-hmm"])
                self.assertEqual(reply.broke_in and reply.broke_in.heard_text, "I can")

    async def test_an_intervention_amid_several_calls_keeps_the_results_before_it(self) -> None:
        async def script(line: Line) -> None:
            await line.begin()
            await line.receive()
            made = {"type": "tool.result", "turn": 1, "callId": "call-1", "status": "result", "ok": True, "content": "2"}
            broke_in = {"type": "intervention", "turn": 2, "count": 1, "message": "Ask first.", "callIds": ["call-2"]}
            await line.send(made, broke_in)
            await line.receive()
            await line.send(END)

        async with connect(await self.serve(script)) as session:
            async with session.episode("a") as episode:
                calls = [Call("calculate", {"expression": "1 + 1"}), Call("cancel", {})]
                with self.assertRaises(InterventionError) as broken:
                    await episode.call_many(calls)
                self.assertEqual([result.content for result in broken.exception.results], ["2"])
                self.assertEqual((broken.exception.count, episode.turn), (1, 1))
                # What the customer said last still waits for an answer.
                async for customer in episode:
                    self.assertIs(customer, episode.opening)
                    break
