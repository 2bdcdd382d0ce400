"""Plays an episode with each of OpenEnv's stock clients. Reads a list of jobs as JSON from stdin, writes one JSON line.

A job: {"base_url", "reset": {...}, "actions": [{"tool_name", "arguments"}, ...]}
"""

import asyncio
import base64
import io
import json
import sys
import wave

from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient


def audio_seconds(blocks):
    """Length of each audio block, read as a WAV file; fails for anything else."""
    lengths = []
    for block in blocks:
        if block["type"] == "audio":
            with wave.open(io.BytesIO(base64.b64decode(block["data"]))) as clip:
                lengths.append(clip.getnframes() / clip.getframerate())
    return lengths


def generic(job):
    sounds = []
    with GenericEnvClient(base_url=job["base_url"]).sync() as env:
        result = env.reset(**job["reset"])
        sounds += audio_seconds(result.observation.get("content", []))
        tools = env.step({"type": "list_tools"}).observation["tools"]
        for action in job["actions"]:
            result = env.step({"type": "call_tool", **action})
            sounds += audio_seconds((result.observation["result"] or {}).get("content", []))
            if result.done:
                break
        state = env.state()
    return {
        "done": result.done,
        "reward": result.reward,
        "metadata": result.metadata,
        "tools": [tool["name"] for tool in tools],
        "sounds": sounds,
        "state": state,
    }


async def mcp_tools(job):
    """The tool client shares its session between the socket and HTTP: half of the calls go each way."""
    async with MCPToolClient(base_url=job["base_url"]) as env:
        result = await env.reset(**job["reset"])
        opening = result.observation.metadata["user_message"]
        tools = await env.list_tools()
        *actions, last = job["actions"]
        for index, action in enumerate(actions):
            if index % 2 == 0:
                await env.call_tool(action["tool_name"], **action["arguments"])
            else:
                await env.step(CallToolAction(**action))
        result = await env.step(CallToolAction(**last))
        state = await env.state()
    return {
        "done": result.done,
        "reward": result.reward,
        "metadata": result.observation.metadata,
        "tools": [tool.name for tool in tools],
        "opening": opening,
        "steps": state.step_count,
    }


jobs = json.load(sys.stdin)
print(json.dumps([{"generic": generic(job), "mcp_tools": asyncio.run(mcp_tools(job))} for job in jobs]))
