"""The command `testset`: drafts of test sets, and the check of one."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from assistant.commands.questions import open_assistant
from assistant.config import Settings
from assistant.console import note, write, write_json, write_table
from assistant.evaluation.case import Case
from assistant.evaluation.drafts import Draft, as_lines, write_drafts
from assistant.evaluation.splits import split_counts
from assistant.evaluation.testset import read_testset
from assistant.lines import LinesError
from corpus.errors import InputError
from corpus.layout import Layout


def testset(given: Namespace, settings: Settings) -> int:
    """The exit status of the action asked for."""
    return {"draft": draft, "new": new, "check": check}[given.action](given, settings)


def draft(given: Namespace, settings: Settings) -> int:
    """The exit status; cases drafted from the collection's sentences are on stdout or in the file."""
    from assistant.drafting.choice import draft_cases

    with closing(open_assistant(settings)) as assistant:
        drafted = draft_cases(assistant.collection, given.n, given.seed)
    for notice in drafted.notices:
        note(notice)
    if not drafted.drafts:
        raise InputError(
            "nothing can be drafted: the collection's abstracts name no system and give no figure"
        )
    _put(drafted.drafts, given.out)
    return 0


def new(given: Namespace, settings: Settings) -> int:
    """The exit status; cases made of what people said of answers are on stdout or in the file."""
    from assistant.evaluation.feedback_cases import cases_of
    from assistant.feedback import read

    with closing(open_assistant(settings)) as assistant:
        collection = assistant.collection
        ids = {name: paper.id for paper in collection.papers() for name in (*paper.aliases, paper.id)}
    feedback = read(Layout(settings.home, collection.name))
    drafts = cases_of(feedback, ids, praised=given.all)
    if not drafts:
        more = f"; --all takes the {len(feedback)} rated up" if feedback else ""
        raise InputError(f"nobody has rated an answer of the collection {collection.name!r} down{more}")
    _put(drafts, given.out)
    return 0


def check(given: Namespace, settings: Settings) -> int:
    """The exit status, 1 for a test set with faults; counts by type and split, or the faults, on stdout."""
    with closing(open_assistant(settings)) as assistant:
        papers = assistant.collection.papers()
    try:
        cases = read_testset(given.file, papers)
    except LinesError as fault:
        if given.json:
            write_json({"questions": None, "faults": list(fault.problems)})
        for problem in () if given.json else fault.problems:
            write(problem)
        note(f"assistant: {str(given.file)!r} has {len(fault.problems)} faults; mend them and check again")
        return 1
    _show(cases, as_json=given.json)
    return 0


def _show(cases: Sequence[Case], *, as_json: bool) -> None:
    types, splits = Counter(case.type for case in cases), split_counts(cases)
    drafts = sum(case.draft for case in cases)
    if as_json:
        named = {name or "": count for name, count in splits}
        write_json(
            {"questions": len(cases), "types": dict(types), "splits": named, "drafts": drafts, "faults": []}
        )
        return
    names = [name for name, _ in splits]
    per = Counter((case.type, case.split) for case in cases)
    rows = [(kind, types[kind], *(per[kind, name] for name in names)) for kind in sorted(types)]
    rows.append(("ALL", len(cases), *(count for _, count in splits)))
    columns = ("type", "questions", *(name or "no split" for name in names))
    write_table(columns, [tuple(map(str, row)) for row in rows])
    if drafts:
        note(f'{drafts} are drafts still: edit them, then take the field "draft" away')


def _put(drafts: Sequence[Draft], out: Path | None) -> None:
    if out is None:
        write(as_lines(drafts).rstrip("\n"))
        return
    write_drafts(drafts, out)
    note(f'{len(drafts)} drafts in {str(out)!r}: edit them, then take the field "draft" away')
