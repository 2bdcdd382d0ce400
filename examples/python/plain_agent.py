"""A stranger's agent in Python: asks who is calling, finds the customer, tells what orders there are, hands over to a person.

    npx parlor serve --mode text --port 8710                             in one terminal
    python examples/python/plain_agent.py ws://127.0.0.1:8710/v1 eval-001

Needs `pip install ./clients/python`. Exits with 0 when it found the customer and the episode ended by its hand-over.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

from parlor_client import Episode, ParlorError, Reply, connect


async def say(episode: Episode, text: str) -> Reply:
    print(f"agent:    {text}")
    reply = await episode.say(text)
    if reply.customer is not None:
        print(f"customer: {reply.customer.text}")
    return reply


async def call(episode: Episode, name: str, arguments: dict[str, str]) -> str:
    result = await episode.call(name, arguments)
    print(f"tool:     {name} {'ok' if result.ok else result.content}")
    assert result.ok, result.content
    return result.content


async def play(episode: Episode) -> None:
    assert len(episode.ready.tools) >= 10, "the sandbox offers the tools of the shop"
    assert episode.opening is not None
    print(f"customer: {episode.opening.text}")
    reply = await say(episode, "Hello! May I have your first and last name and your zip code?")
    answer = (reply.customer and reply.customer.text) or ""
    name = re.search(r"(?:name is |It's |^|\. ?|\s)([A-Z][\w'-]+) ([A-Z][\w'-]+)\.", answer)
    zip_code = re.search(r"\b\d{5}\b", answer)
    assert name and zip_code, "the customer tells its name and zip code when asked"
    user_id = await call(
        episode,
        "find_user_id_by_name_zip",
        {"first_name": name[1], "last_name": name[2], "zip": zip_code[0]},
    )
    user = json.loads(await call(episode, "get_user_details", {"user_id": user_id}))
    assert user["orders"], "the customer has orders"
    summary = f"{name[1]} {name[2]} needs help with an order"
    await call(episode, "transfer_to_human_agents", {"summary": summary})
    await say(episode, "I am transferring you to a colleague, please hold on.")


async def main(url: str = "ws://127.0.0.1:8710/v1", task: str = "eval-001") -> int:
    async with connect(url) as session:
        async with session.episode(task, mode="text", seed=1, agent="plain-agent.py") as episode:
            await play(episode)
    assert episode.end is not None
    print(f"the end:  {episode.end.reason}, reward {episode.end.reward}")
    return 0 if episode.end.reason == "transfer" else 1


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main(*sys.argv[1:3])))
    except ParlorError as error:
        sys.exit(f"plain_agent.py: {error}")
