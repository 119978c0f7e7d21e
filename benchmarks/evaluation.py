"""What an evaluation costs over the answers' own time, and how its memory grows.

usage: python benchmarks/evaluation.py [--questions 1000] [--rounds 3]
The built-in test set, asked again and again up to the number of questions, over the built-in collection of
ASSISTANT_HOME. The same questions are answered alone and evaluated in turns, so both see the same machine;
memory is the process's resident set while the questions of the evaluation are scored.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.evaluation.metrics import percentile
from assistant.evaluation.run import run
from assistant.evaluation.support import CheckedSupport
from assistant.evaluation.testset import Case, read_testset
from corpus.builtin import QUESTIONS
from corpus.layout import BUILT_IN


def resident() -> float:
    """MiB that the process has in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def write_set(folder: Path, lines: Sequence[str], first: int, count: int) -> Path:
    """A test set of `count` of the lines from the `first` on, round and round, with new ids."""
    path = folder / "set.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(first, first + count):
            case = {**json.loads(lines[number % len(lines)]), "id": str(number)}
            file.write(json.dumps(case) + "\n")
    return path


def spent(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds that the work takes, by the clock and of the processors."""
    started, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - started, time.process_time() - busy


def ask_all(assistant: Assistant, cases: Sequence[Case]) -> None:
    """Nothing; the answers are made and dropped."""
    for case in cases:
        assistant.ask(case.question, history=case.history)


def main() -> None:
    """Prints the ratio of each round, then memory at a tenth, a half and the whole of one run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    settings = load_settings(collection=BUILT_IN, llm="none")
    with closing(Assistant.open(settings)) as assistant, tempfile.TemporaryDirectory() as folder:
        supports = CheckedSupport(assistant.verifier())
        papers = assistant.collection.papers()
        warm = write_set(Path(folder), lines, 0, len(lines))
        ask_all(assistant, read_testset(warm, papers))
        share = given.questions // given.rounds
        ratios = []
        for number in range(given.rounds):
            testset = write_set(Path(folder), lines, number * share, share)
            cases = read_testset(testset, papers)
            alone = spent(lambda cases=cases: ask_all(assistant, cases))  # type: ignore[misc]
            whole = spent(
                lambda testset=testset: run(  # type: ignore[misc]
                    testset, assistant=assistant, supports=supports, out=Path(folder)
                )
            )
            ratios.append([now / before for now, before in zip(whole, alone, strict=True)])
            clock, busy = ratios[-1]
            sys.stdout.write(
                f"{share} questions: alone {alone[0]:.1f} s; evaluated {clock:.3f} times that, "
                f"{busy:.3f} times its processor time\n"
            )
        clock, busy = (percentile([one[at] for one in ratios], 0.5) for at in (0, 1))
        sys.stdout.write(f"median: {clock:.3f} by the clock, {busy:.3f} of processor time\n")
        memory: list[float] = []
        testset = write_set(Path(folder), lines, 0, given.questions)
        run(
            testset,
            assistant=assistant,
            supports=supports,
            out=Path(folder),
            progress=lambda *_: memory.append(resident()),
        )
        at = {share: memory[max(int(len(memory) * share) - 1, 0)] for share in (0.1, 0.5, 1.0)}
        shown = ", ".join(f"{value:.0f} MiB after {share:.0%}" for share, value in at.items())
        sys.stdout.write(f"{given.questions} questions in one run: {shown}\n")


if __name__ == "__main__":
    main()
