"""Our own time around a language model that answers at once, and how long its prompts are.

usage: python benchmarks/llm_overhead.py [TESTSET.jsonl] [--pieces 60]

The collection is the one that the settings name, the questions by default those of the built-in one. The
endpoint is in this process; it says two sentences of its first source again, in pieces. A question that
needs no model (its answer isn't in the collection, or is in a record) makes no call and counts nowhere.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.evaluation.metrics import percentile
from assistant.evaluation.testset import Case, read_testset
from corpus.builtin import QUESTIONS


@dataclass(frozen=True)
class Call:
    """When a request was there and when its last byte went, and the text that it asked."""

    came: float
    went: float
    prompt: str


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._send(b"{}", "application/json")

    def do_POST(self) -> None:
        came = time.perf_counter()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][-1]["content"]
        words = re.findall(r"\S+\s*", _reply(prompt))
        size = max(1, len(words) // self.server.pieces)
        deltas = [{"content": "".join(words[at : at + size])} for at in range(0, len(words), size)]
        events = [_event(delta, None) for delta in deltas] + [_event({}, "stop"), "data: [DONE]\n\n"]
        self._send("".join(events).encode(), "text/event-stream")
        self.server.calls.append(Call(came, time.perf_counter(), prompt))

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    calls: list[Call]
    pieces: int


def _event(delta: dict[str, str], finish: str | None) -> str:
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps(chunk | {'choices': [choice]})}\n\n"


def _reply(prompt: str) -> str:
    """A question that stands alone as it is; else two sentences of the first source."""
    question = prompt.rpartition("uestion: ")[2]
    source = re.search(r"^\[1\] [^:]*: (.*)$", prompt, re.M)
    if source is None or "The talk, oldest first" in prompt:
        return question
    return " ".join(f"{one.rstrip('.')} [1]." for one in re.split(r"(?<=\.) ", source[1])[1:3])


@contextmanager
def endpoint(pieces: int) -> Iterator[_Server]:
    """An endpoint on a free port, which the environment names."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.calls, server.pieces = [], pieces
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    os.environ["OPENAI_BASE_URL"] = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def measure(assistant: Assistant, server: _Server, cases: Sequence[Case]) -> dict[str, list[float]]:
    """The figures of each question that made a call."""
    found: dict[str, list[float]] = {
        "ask to request, ms": [],
        "last token to answer, ms": [],
        "prompt tokens": [],
    }
    for case in cases:
        server.calls.clear()
        began = time.perf_counter()
        answer = assistant.ask(case.question, history=case.history)
        done = time.perf_counter()
        if answer.error:
            sys.stderr.write(f"{case.id}: {answer.error}\n")
        if server.calls:
            found["ask to request, ms"].append(1000 * (server.calls[0].came - began))
            found["last token to answer, ms"].append(1000 * (done - server.calls[-1].went))
            found["prompt tokens"].append(answer.usage.prompt_tokens)
    return found


def main() -> None:
    """Prints a table: a line for each figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("testset", type=Path, nargs="?", default=QUESTIONS)
    parser.add_argument("--pieces", type=int, default=60, metavar="N")
    options = parser.parse_args()
    with endpoint(options.pieces) as server:
        # A model of OpenAI's: its own tokenizer counts.
        settings = replace(load_settings(llm="openai:gpt-4o-mini"), trace=False)
        assistant = Assistant.open(settings)
        cases = read_testset(options.testset, assistant.collection.papers())
        measure(assistant, server, cases[:1])
        found = measure(assistant, server, cases)
        assistant.close()
    sys.stdout.write(f"{len(cases)} questions, {len(found['prompt tokens'])} with a call\n\n")
    sys.stdout.write("| | p50 | p95 | most |\n| --- | ---: | ---: | ---: |\n")
    for name, values in found.items():
        figures = (percentile(values, 0.5), percentile(values, 0.95), max(values))
        sys.stdout.write(f"| {name} |" + "".join(f" {value:.0f} |" for value in figures) + "\n")


if __name__ == "__main__":
    main()
