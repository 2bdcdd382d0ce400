"""What the tests share: the server's address, tasks with their right answers, and a proxy that cuts connections."""

from __future__ import annotations

import asyncio
import json
import os
import unittest
from typing import Any

from parlor_client import Episode, EpisodeEnd

#: Set by tests/clients/python.test.ts, which starts a real `parlor serve`.
URL = os.environ.get("PARLOR_URL", "")
#: A file with `[{"id", "calls": [{"name", "arguments"}], "communicate": […]}]`.
TASKS_FILE = os.environ.get("PARLOR_TASKS", "")

needs_server = unittest.skipUnless(URL and TASKS_FILE, "PARLOR_URL and PARLOR_TASKS are not set")


def tasks() -> list[dict[str, Any]]:
    with open(TASKS_FILE, encoding="utf-8") as file:
        loaded: list[dict[str, Any]] = json.load(file)
    return loaded


async def play_right(episode: Episode, task: dict[str, Any]) -> EpisodeEnd:
    """An agent that knows the answer: makes the right calls, says what has to be said, hangs up."""
    await episode.say("Hello! How can I help you?")
    for call in task["calls"]:
        result = await episode.call(call["name"], call["arguments"], reasoning="It is the right one.")
        assert result.ok, result
    await episode.say("All done. " + " ".join(task["communicate"]))
    return await episode.stop()


class CuttingProxy:
    """Forwards TCP to the server; `cut` drops every connection without a word."""

    def __init__(self, url: str) -> None:
        host, _, port = url.split("/")[2].rpartition(":")
        self._target = (host, int(port))
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._refuse = False
        self.connections = 0

    async def __aenter__(self) -> CuttingProxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def cut(self, *, for_good: bool = False) -> None:
        self._refuse = for_good
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        if self._refuse:
            writer.transport.abort()
            return
        up_reader, up_writer = await asyncio.open_connection(*self._target)
        self._writers |= {writer, up_writer}

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(65_536):
                    sink.write(data)
                    await sink.drain()
            except OSError:
                pass
            finally:
                self._writers.discard(sink)
                sink.transport.abort()

        await asyncio.gather(pump(reader, up_writer), pump(up_reader, writer))
