"""Calls tools of a running episode with the Python MCP client: one JSON call a line in, one JSON answer a line out."""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def main(url, token):
    headers = {"Authorization": f"Bearer {token}"}
    async with streamablehttp_client(url, headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = await session.list_tools()
            print(json.dumps([tool.name for tool in tools.tools]), flush=True)
            loop = asyncio.get_running_loop()
            while line := await loop.run_in_executor(None, sys.stdin.readline):
                call = json.loads(line)
                result = await session.call_tool(call["name"], call["arguments"])
                text = "".join(part.text for part in result.content)
                print(json.dumps({"ok": not result.isError, "content": text}), flush=True)


asyncio.run(main(sys.argv[1], sys.argv[2]))
