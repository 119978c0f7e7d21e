"""Gradio's API and MCP over a real collection: ask, search, get_paper, compare."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from browser import served
from gradio_client import Client
from gradio_client.exceptions import AppError

if TYPE_CHECKING:
    from made import Library

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
KEY = {"Authorization": "Bearer secret1"}


@pytest.fixture(scope="module")
def address(library: Library) -> Iterator[str]:
    with served(library.assistant, users="ada:secret1", programs=True) as url:
        yield url


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Client]:
    made = Client(address, headers=KEY, verbose=False, analytics_enabled=False)
    yield made
    made.close()


def test_ask(client: Client) -> None:
    answer = client.predict("How much faster is TileFlow than TVM?", api_name="/ask")
    assert answer["status"] == "answered"
    assert "5.9x" in answer["text"]
    assert answer["citations"][0]["label"] == "TileFlow"
    assert answer["references"] == ["[1] TileFlow. Ada Moreau, Bo Lindqvist (2023)."]


def test_ask_with_history(client: Client) -> None:
    history = [
        {"role": "user", "content": "What is Quokka?"},
        {"role": "assistant", "content": "Quokka is a checkpointing system [1]."},
    ]
    answer = client.predict("What utilization does it keep?", history=history, api_name="/ask")
    assert "Quokka" in answer["standalone_question"]
    assert "41%" in answer["text"]


def test_search_get_paper_and_compare(client: Client) -> None:
    hits = client.predict("mixture of experts", top_k=2, api_name="/search")
    assert len(hits) == 2
    assert set(hits[0]) == {"paper_id", "label", "score", "quote"}
    paper = client.predict(hits[0]["paper_id"], api_name="/get_paper")
    assert paper["label"] == hits[0]["label"]
    assert client.predict("TileFlow", api_name="/get_paper")["year"] == 2023
    table = client.predict(["TileFlow", "Quokka"], api_name="/compare")["table"]
    assert table["columns"] == ["TileFlow", "Quokka"]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("ask", [" "], "say what you want to know"),
        ("ask", ["x" * 4001], "4,001 characters"),
        ("ask", ["x", [{"role": "user"}]], "role"),
        ("ask", ["x", None, "nowhere"], "no collection 'nowhere'"),
        ("search", ["x", 0], "top_k"),
        ("get_paper", ["no such thing"], "no paper"),
        ("compare", [["TileFlow"]], "name 2 to 8"),
    ],
)
def test_faults(client: Client, name: str, arguments: list[Any], said: str) -> None:
    with pytest.raises(AppError, match=said):
        client.predict(*arguments, api_name=f"/{name}")


def test_by_plain_http(address: str) -> None:
    data = {"query": "checkpointing", "top_k": 1}
    call = httpx.post(f"{address}gradio_api/call/v2/search", json=data, headers=KEY, timeout=60)
    told = httpx.get(f"{address}gradio_api/call/search/{call.json()['event_id']}", headers=KEY, timeout=60)
    [line] = [line for line in told.text.splitlines() if line.startswith("data: ")]
    assert json.loads(line.removeprefix("data: "))[0][0]["label"] == "Quokka"


def test_only_the_four_can_be_called(address: str) -> None:
    info = httpx.get(f"{address}gradio_api/info", headers=KEY, timeout=60).json()
    assert set(info["named_endpoints"]) == {"/ask", "/search", "/get_paper", "/compare"}
    assert info["unnamed_endpoints"] == {}
    assert "citation behind every sentence" in info["named_endpoints"]["/ask"]["description"]


def test_an_mcp_client(address: str) -> None:
    pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
    told = asyncio.run(_talk(address))
    assert set(told["tools"]) == {"ask", "search", "get_paper", "compare"}
    ask = told["tools"]["ask"]
    assert ask.description.startswith("Answer a question from a collection")
    assert ask.inputSchema["required"] == ["question"]
    assert ask.inputSchema["properties"]["question"]["description"]
    text, more = (part.text for part in told["ask"].content)
    assert "5.9x" in text
    assert text.endswith("\n\n[1] TileFlow. Ada Moreau, Bo Lindqvist (2023).")
    assert json.loads(more)["citations"][0]["quotes"]
    assert json.loads(told["get_paper"].content[0].text)["label"] == "Quokka"
    assert json.loads(told["search"].content[0].text)[0]["label"] == "Quokka"
    assert "TileFlow" in told["compare"].content[0].text
    assert told["fault"].isError
    assert "no paper" in told["fault"].content[0].text


async def _talk(address: str) -> dict[str, Any]:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx.AsyncClient(headers=KEY, timeout=60) as http,
        streamable_http_client(f"{address}gradio_api/mcp/", http_client=http) as (reader, writer, _),
        ClientSession(reader, writer) as session,
    ):
        await session.initialize()
        return {
            "tools": {tool.name: tool for tool in (await session.list_tools()).tools},
            "ask": await session.call_tool("ask", {"question": "How much faster is TileFlow than TVM?"}),
            "search": await session.call_tool("search", {"query": "checkpointing", "top_k": 1}),
            "get_paper": await session.call_tool("get_paper", {"paper": "quokka"}),
            "compare": await session.call_tool("compare", {"papers": ["TileFlow", "Quokka"]}),
            "fault": await session.call_tool("get_paper", {"paper": "nothing of ours"}),
        }
