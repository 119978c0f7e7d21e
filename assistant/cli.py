"""The command line: commands, their options, what errors become; the work is imported when it is wanted."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from assistant import __version__, options
from corpus.errors import AssistantError, InputError

Parser = argparse.ArgumentParser
INTERRUPTED = 130


@dataclass(frozen=True)
class Command:
    """One command; `runs` is "module:function" below assistant.commands."""

    name: str
    help: str
    options: Callable[[Parser], None]
    runs: str


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 done, 1 a fault that a person can mend, 2 wrong usage, 130 interrupted."""
    given = build_parser().parse_args(arguments)
    from assistant.console import note, prepare_streams

    prepare_streams()
    try:
        _check_text(given)
        return _run(given)
    except AssistantError as error:
        note(f"assistant: {error}")
    except BrokenPipeError:
        # Whoever read stdout has enough; a second failure while Python closes it would be printed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f"{error.filename!r}: " if error.filename else ""
        note(f"assistant: {where}{error.strerror or error}; check the path, its permissions and the disk")
    except KeyboardInterrupt:
        note("assistant: interrupted; what was finished is kept, run the command again to go on")
        return INTERRUPTED
    return 1


def _check_text(given: argparse.Namespace) -> None:
    """Nothing; InputError for words that aren't UTF-8. The names of files may be any bytes."""
    for name in ("question", "query", "ids", "papers", "author", "collection", "name", "new"):
        values = getattr(given, name, None) or ()
        for value in (values,) if isinstance(values, str) else values:
            if value != value.encode("utf-8", "replace").decode():
                shown = ascii(value[:80])
                raise InputError(f"{name} is {shown}, which isn't UTF-8: check the terminal's encoding")


def build_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(
        prog="assistant", description="Answers questions about a collection of abstracts, with citations."
    )
    parser.add_argument("--version", action="version", version=f"assistant {__version__}")
    parser.add_argument("--collection", metavar="NAME", help="the collection to use (default: 'default')")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for row in COMMANDS:
        command = commands.add_parser(row.name, help=row.help, description=row.help)
        _collection(command)
        row.options(command)
        command.set_defaults(runs=row.runs)
    return parser


def _collection(parser: Parser) -> None:
    parser.add_argument("--collection", metavar="NAME", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def _run(given: argparse.Namespace) -> int:
    from assistant.config import load_settings

    module, _, function = given.runs.partition(":")
    run = getattr(import_module(f"assistant.commands.{module}"), function)
    status = int(run(given, load_settings(collection=given.collection)))
    sys.stdout.flush()
    return status


def _ingest(parser: Parser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        type=options.words,
        metavar="PATH",
        help="a file, a folder, or - for standard input",
    )
    parser.add_argument(
        "--format", type=options.file_format, metavar="NAME", help="read every file as this: jsonl or page"
    )
    _wait(parser)
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write the whole report as JSON to this file as well"
    )


def _papers(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line, the whole paper")


def _remove(parser: Parser) -> None:
    parser.add_argument(
        "ids", nargs="*", type=options.words, metavar="ID", help="a paper's id, alias, DOI, arXiv id or label"
    )
    parser.add_argument(
        "--source", type=options.words, metavar="FILE", help="the papers that were read from this file only"
    )
    parser.add_argument(
        "--query", type=options.words, metavar="WORDS", help="the papers that hold all of these words"
    )
    _year_and_author(parser)
    _yes(parser)
    _wait(parser)


def _export(parser: Parser) -> None:
    parser.add_argument(
        "ids", nargs="*", type=options.words, metavar="ID", help="only these papers: ids, DOIs, labels"
    )
    parser.add_argument(
        "--format",
        required=True,
        type=options.export_format,
        metavar="NAME",
        help="bibtex, ris, csl-json, jsonl or csv",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="a file, in place of stdout")
    _year_and_author(parser)


def _collections(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="the collections as JSON")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    remove = _action(actions, "remove", "remove a collection with all its papers")
    remove.add_argument("name", metavar="NAME")
    rename = _action(actions, "rename", "give a collection another name")
    rename.add_argument("name", metavar="OLD")
    rename.add_argument("new", metavar="NEW")
    _yes(remove)
    for action in remove, rename:
        _wait(action)


def _backup(parser: Parser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write, a .zip")
    parser.add_argument("--force", action="store_true", help="replace the file where it is there already")


def _restore(parser: Parser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="what `assistant backup` wrote")
    parser.add_argument("--force", action="store_true", help="replace a collection that holds papers")
    _wait(parser)


def _yes(parser: Parser) -> None:
    parser.add_argument("--yes", action="store_true", help="don't ask")


def _search(parser: Parser) -> None:
    parser.add_argument("query", metavar="QUERY")
    parser.add_argument(
        "--top-k", type=options.count, default=10, metavar="N", help="how many papers (default: 10)"
    )
    parser.add_argument("--json", action="store_true", help="the hits as JSON")
    _filters(parser)


def _figures(parser: Parser) -> None:
    parser.add_argument("query", nargs="?", metavar="QUERY", help="only of the papers that match this")
    parser.add_argument(
        "--top-k",
        type=options.count,
        default=10,
        metavar="N",
        help="how many papers, with a QUERY (default: 10)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line, one a figure")


def _ask(parser: Parser) -> None:
    parser.add_argument("question", metavar="QUESTION")
    parser.add_argument("--history", type=Path, metavar="FILE", help="the conversation so far, a JSON list")
    parser.add_argument("--json", action="store_true", help="the whole answer as JSON")
    parser.add_argument(
        "--dry-run", action="store_true", help="show what the LLM would be sent and what that would cost"
    )
    _filters(parser)


def _answer(parser: Parser) -> None:
    parser.add_argument("questions", type=Path, metavar="QUESTIONS.jsonl")
    parser.add_argument("--out", type=Path, required=True, metavar="ANSWERS.jsonl")
    parser.add_argument(
        "--workers", type=options.count, default=1, metavar="N", help="questions at a time (default: 1)"
    )
    parser.add_argument("--resume", action="store_true", help="keep the answers that are in the file already")
    _filters(parser)


def _evaluate(parser: Parser) -> None:
    parser.add_argument(
        "testset",
        type=Path,
        nargs="?",
        metavar="TESTSET",
        help="JSON Lines or CSV of questions, or a folder in BEIR's form",
    )
    parser.add_argument(
        "--split", type=options.words, metavar="NAME", help="only its questions of this split: dev, test"
    )
    parser.add_argument("--builtin", action="store_true", help="the built-in collection and its own test set")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder for report.json, report.md, report.html and answers.jsonl",
    )
    parser.add_argument(
        "--resume", action="store_true", help="keep the answers that an interrupted run left in --out"
    )
    parser.add_argument("--answers", type=Path, metavar="FILE", help="score these answers instead of asking")
    parser.add_argument(
        "--baseline", type=Path, metavar="DIR", help="compare with the report of an earlier run"
    )
    parser.add_argument(
        "--fail-under",
        action="append",
        type=options.limit,
        default=[],
        metavar="METRIC=VALUE",
        help="fail below this",
    )
    parser.add_argument(
        "--workers", type=options.count, default=1, metavar="N", help="questions at a time (default: 1)"
    )
    parser.add_argument(
        "--judge",
        nargs="?",
        const="",
        type=options.judge_model,
        metavar="MODEL",
        help="let a language model judge the answers too: openai:MODEL, gguf:FILE or that of the settings",
    )
    parser.add_argument(
        "--judge-repeats",
        type=options.repeats,
        default=1,
        metavar="K",
        help="how often each answer is judged (default: 1)",
    )
    parser.add_argument("--json", action="store_true", help="the report as JSON")


def _testset(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    draft = _action(actions, "draft", "draft questions from the collection's sentences, for you to edit")
    draft.add_argument(
        "--n", type=options.count, default=50, metavar="N", help="how many questions (default: 50)"
    )
    draft.add_argument(
        "--seed", type=options.seed, default=0, metavar="N", help="another seed, other questions (default: 0)"
    )
    new = _action(actions, "new", "make questions of what people said of answers in the chat")
    new.add_argument(
        "--from-feedback", action="store_true", required=True, help="of the answers that were rated down"
    )
    new.add_argument("--all", action="store_true", help="of those rated up as well, to keep them so")
    for action in draft, new:
        action.add_argument("--out", type=Path, metavar="FILE", help="a new file, in place of stdout")
    check = _action(actions, "check", "check a test set against the collection and count its questions")
    check.add_argument("file", type=Path, metavar="FILE")
    check.add_argument("--json", action="store_true", help="the counts, or the faults, as JSON")


def _action(actions: argparse._SubParsersAction[Parser], name: str, help: str) -> Parser:
    action = actions.add_parser(name, help=help, description=help)
    _collection(action)
    return action


def _verify(parser: Parser) -> None:
    parser.add_argument(
        "text", type=Path, metavar="FILE", help="a cited text in Markdown, or claims as JSON Lines"
    )
    parser.add_argument(
        "--out", type=Path, metavar="VERDICTS.jsonl", help="where the verdicts on claims are written"
    )
    parser.add_argument("--json", action="store_true", help="the verdicts on a text as JSON")


def _trace(parser: Parser) -> None:
    parser.add_argument(
        "number", nargs="?", type=options.count, metavar="N", help="show this line whole, 1 being the newest"
    )
    parser.add_argument(
        "--last", type=options.count, default=20, metavar="N", help="how many lines to list (default: 20)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _ui(parser: Parser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="address to listen at (default: 127.0.0.1)"
    )
    parser.add_argument(
        "--port", type=options.port, default=7860, metavar="P", help="port to listen at (default: 7860)"
    )


def _doctor(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="the checks as JSON")


def _rebuild(parser: Parser) -> None:
    _wait(parser)


def _wait(parser: Parser) -> None:
    parser.add_argument(
        "--wait",
        type=options.seconds,
        default=0.0,
        metavar="SECONDS",
        help="how long to wait while another process writes (default: 0)",
    )


def _year_and_author(parser: Parser) -> None:
    parser.add_argument(
        "--year", type=options.years, metavar="YEARS", help="only papers of these years: 2024 or 2023-2025"
    )
    parser.add_argument(
        "--author",
        action="append",
        type=options.words,
        default=[],
        metavar="NAME",
        help="only papers of this author",
    )


def _filters(parser: Parser) -> None:
    _year_and_author(parser)
    parser.add_argument(
        "--papers",
        type=options.refs,
        default=(),
        metavar="ID,...",
        help="only these papers: ids, DOIs or labels",
    )


COMMANDS = (
    Command("ingest", "read files of abstracts into the collection", _ingest, "papers:ingest"),
    Command("papers", "list the papers of the collection", _papers, "papers:list_papers"),
    Command("remove", "remove papers from the collection", _remove, "removal:remove"),
    Command("export", "write papers for other programs", _export, "exports:export"),
    Command("collections", "list, rename or remove collections", _collections, "holdings:collections"),
    Command("backup", "write a collection to one file", _backup, "holdings:backup"),
    Command("restore", "make a collection of a backup", _restore, "holdings:restore"),
    Command("search", "find papers, without an answer", _search, "questions:search"),
    Command("figures", "list the figures that abstracts give", _figures, "figures:figures"),
    Command("ask", "answer one question", _ask, "questions:ask"),
    Command("answer", "answer a file of questions", _answer, "questions:answer"),
    Command("evaluate", "score answers against a test set", _evaluate, "evaluation:evaluate"),
    Command(
        "testset",
        "draft a test set from the collection or from feedback, or check one",
        _testset,
        "testsets:testset",
    ),
    Command(
        "verify", "check a cited text, or claims, against the collection", _verify, "verification:verify"
    ),
    Command("trace", "list what was asked, and what became of it", _trace, "tracing:trace"),
    Command("ui", "open the web chat", _ui, "chat:serve"),
    Command("doctor", "check this installation and say how to mend it", _doctor, "diagnosis:diagnose"),
    Command("rebuild", "rebuild the search indexes from the catalogue", _rebuild, "papers:rebuild"),
)
