"""How long the command line takes to start, and an answer inside one process, against `python -c pass`.

usage: python benchmarks/startup.py [--runs 5] [--testset FILE.jsonl]
The collection is the one that ASSISTANT_HOME and ASSISTANT_COLLECTION name.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from assistant.evaluation.metrics import percentile

QUESTION = "What speedup does PIT reach over state-of-the-art compilers?"
QUESTIONS = (
    QUESTION,
    "which paper prunes mixture-of-experts models?",
    "how does speculative decoding work?",
    "what MFU does ByteScale reach?",
    "who trained a model on Frontier?",
)


def time_command(command: Sequence[str], runs: int) -> float:
    """The median of seconds that a command takes as a process of its own."""
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return percentile(times, 0.5)


def time_answers(questions: Sequence[str]) -> tuple[float, float]:
    """p50 and p95 of seconds an answer, in one process, after one question that isn't counted."""
    from assistant.assistant import Assistant
    from assistant.config import load_settings

    assistant = Assistant.open(load_settings(llm="none"))
    assistant.ask(questions[0])
    times = []
    for question in questions:
        started = time.perf_counter()
        assistant.ask(question)
        times.append(time.perf_counter() - started)
    return percentile(times, 0.5), percentile(times, 0.95)


def main() -> None:
    """Prints a line for each thing measured: seconds, and how many times a bare Python's start."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--testset", type=Path, help="JSON Lines with questions to ask")
    options = parser.parse_args()
    questions: Sequence[str] = QUESTIONS * 10
    if options.testset:
        lines = options.testset.read_text(encoding="utf-8").split("\n")
        questions = [json.loads(line)["question"] for line in lines if line.strip()]
    bare = time_command([sys.executable, "-c", "pass"], options.runs)
    program = [sys.executable, "-m", "assistant"]
    rows = {
        "python -c pass": bare,
        "assistant --help": time_command([*program, "--help"], options.runs),
        "assistant ask, cold": time_command([*program, "ask", QUESTION, "--json"], options.runs),
    }
    rows["ask, warm, p50"], rows["ask, warm, p95"] = time_answers(questions)
    for name, seconds in rows.items():
        sys.stdout.write(f"{name:22}{1000 * seconds:9.1f} ms{seconds / bare:9.2f} x\n")


if __name__ == "__main__":
    main()
