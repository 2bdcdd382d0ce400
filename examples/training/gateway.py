"""A trainer's side of callback mode in small: a gateway that keeps every token, and a batch of rollouts posted to the sandbox.

    npx parlor serve --mode text --port 8710                     in one terminal
    python examples/training/gateway.py http://127.0.0.1:8710

Needs `pip install ./clients/python` and nothing else. In place of a model a policy speaks at random, one token a byte, two of them for
the letter e, so text that is tokenised again does not give the ids that were sampled. Exits with 0 when every row is exact.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from dataclasses import dataclass, field
from typing import Any

from parlor_rollouts import Sandbox, finish_rollout, list_tasks, post_rollouts

BEGIN, END, OTHER_E = 256, 257, 258
LINES = ["Hello! May I have your name and zip code?", "One moment, please.", "Ça va ☕, anything else?"]
CALLS: list[tuple[str, dict[str, str]]] = [
    ("calculate", {"expression": "2 + 2"}),
    ("get_order_details", {"order_id": "#W0000000"}),
]


def encode(message: dict[str, Any]) -> list[int]:
    text = json.dumps([message.get("role"), message.get("content"), message.get("tool_calls")], ensure_ascii=False)
    return [BEGIN, *text.encode(), END]


@dataclass
class Session:
    """One rollout as the gateway sees it: its messages as they must come back, and every token with its mask."""

    seed: int
    messages: list[dict[str, Any]] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    turns: int = 0
    reward: dict[str, Any] | None = None

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        messages: list[dict[str, Any]] = body["messages"]
        known = len(self.messages)
        # As text, so that the order of keys counts too.
        if json.dumps(messages[:known]) != json.dumps(self.messages):
            raise ValueError("the history was changed")
        for message in messages[known:]:
            new = encode(message)
            self.ids += new
            self.mask += [0] * len(new)
        prompt = list(self.ids)
        draw = random.Random(self.seed * 1_000 + self.turns)
        message = self._speak(draw)
        text = json.dumps(message, ensure_ascii=False)
        sampled = [OTHER_E if byte == ord("e") and draw.random() < 0.5 else byte for byte in text.encode()] + [END]
        self.turns += 1
        self.messages = [*messages, message]
        self.ids += sampled
        self.mask += [1] * len(sampled)
        finish = "tool_calls" if "tool_calls" in message else "stop"
        logprobs = {"content": [{"token": str(each), "logprob": -1.5, "bytes": None, "top_logprobs": []} for each in sampled]}
        choice = {"index": 0, "message": message, "finish_reason": finish, "token_ids": sampled, "logprobs": logprobs}
        usage = {"prompt_tokens": len(prompt), "completion_tokens": len(sampled), "total_tokens": len(self.ids)}
        return {"object": "chat.completion", "choices": [choice], "prompt_token_ids": prompt, "usage": usage}

    def _speak(self, draw: random.Random) -> dict[str, Any]:
        if draw.random() < 0.5:
            return {"role": "assistant", "content": draw.choice(LINES)}
        name, arguments = draw.choice(CALLS)
        # Spaces that no JSON writer would put there: they must come back as well.
        function = {"name": name, "arguments": json.dumps(arguments, indent=1)}
        call = {"id": f"call_{self.turns}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}


class Gateway:
    """OpenAI-compatible, an address for each session: `/sessions/ID/v1/chat/completions` and `/sessions/ID/reward_info`."""

    def __init__(self) -> None:
        self.sessions: dict[str, Session] = {}
        self.rewarded = asyncio.Event()
        self._connections: dict[asyncio.StreamWriter, asyncio.Task[Any] | None] = {}

    def open(self, name: str, seed: int) -> None:
        self.sessions[name] = Session(seed)

    async def close(self) -> None:
        """Connections are kept alive by the sandbox; nothing more comes over them."""
        for writer in self._connections:
            writer.close()
        await asyncio.gather(*(task for task in self._connections.values() if task))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections[writer] = asyncio.current_task()
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode("latin-1").split("\r\n")
                lengths = [line.split(":")[1] for line in lines if line.lower().startswith("content-length:")]
                body = await reader.readexactly(int(lengths[0]) if lengths else 0)
                status, answer = self.handle(lines[0].split(" ")[1], json.loads(body))
                content = json.dumps(answer).encode()
                writer.write(f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n".encode())
                writer.write(content)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # The other side hung up.
        finally:
            writer.close()

    def handle(self, path: str, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        _, _, name, rest = path.split("/", 3)
        session = self.sessions[name]
        try:
            if rest == "v1/chat/completions":
                return "200 OK", session.answer(body)
        except ValueError as error:
            return "400 Bad Request", {"error": {"message": str(error)}}
        session.reward = body["reward_info"]
        if all(each.reward for each in self.sessions.values()):
            self.rewarded.set()
        return "200 OK", {"status": "ok"}


async def main(url: str) -> None:
    sandbox = Sandbox(url)
    gateway = Gateway()
    server = await asyncio.start_server(gateway.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = f"http://127.0.0.1:{port}/sessions"
    # These are evaluation tasks, to show how it is done. Serve tasks made for training and take the split "train".
    tasks = await asyncio.to_thread(list_tasks, sandbox)
    bodies: list[dict[str, Any]] = []
    for group, task in enumerate(tasks[:2]):
        for place in range(2):
            name = f"run-{port}-step-1-{group}-{place}"
            gateway.open(name, seed=group * 10 + place)
            bodies.append(
                {
                    **{"rollout_id": name, "group_id": f"step-1-{group}", "task": task, "seed": group, "trial": place},
                    **{"mode": "t-only", "base_url": f"{address}/{name}/v1", "model": "policy", "token_ids": True},
                    **{"limits": {"turns": 6}, "reward": "tarl"},
                    **{"reward_url": f"{address}/{name}/reward_info", "reward_shape": "uni-agent"},
                }
            )
    await asyncio.to_thread(post_rollouts, sandbox, bodies)
    for body in bodies:
        name = body["rollout_id"]
        view = await asyncio.to_thread(finish_rollout, sandbox, name, generations=True)
        check(name, view, gateway.sessions[name])
    # Rewards are posted by the sandbox, in its own time.
    await asyncio.wait_for(gateway.rewarded.wait(), 60)
    for body in bodies:
        session = gateway.sessions[body["rollout_id"]]
        assert session.reward and session.reward["finished"], session.reward
        own = sum(session.mask)
        print(f"{body['rollout_id']}: {len(session.ids)} tokens, {own} of them the policy's, reward {session.reward['reward']:.2f}")
    server.close()
    await gateway.close()
    print(f"{len(bodies)} rollouts, every token as it was sampled")


def check(name: str, view: dict[str, Any], session: Session) -> None:
    """What the sandbox kept is what the gateway sampled, and each prompt begins with what came before."""
    assert view["state"] == "done", view
    ids: list[int] = []
    for generation in view["generations"]:
        assert not generation["faults"], (name, generation["faults"])
        assert (generation["prompt_shared"] or 0) == len(ids), "the prompt does not go on where the reply ended"
        ids += [*generation["prompt_rest"], *generation["token_ids"]]
    assert ids == session.ids, name
    assert len(view["result"]["turn_rewards"]) == view["result"]["turns"]


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8710"))
