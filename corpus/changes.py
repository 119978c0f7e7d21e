"""Writing to the catalogue: statements inside the caller's transaction, each marking what the indexes owe."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress

from corpus.facts import Facts, facts_of
from corpus.papers import text_key
from corpus.schema import create_facts
from corpus.stored import Change, blob, clue_numbers, dump_paper, load_paper


def write_changes(connection: sqlite3.Connection, changes: Iterable[Change]) -> None:
    """Writes papers with all that hangs on them; in the caller's transaction."""
    for change in changes:
        row = connection.execute(
            "INSERT INTO papers (id, paper, given, given_key) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET paper = excluded.paper, given = excluded.given, "
            "given_key = excluded.given_key RETURNING key",
            (change.paper.id, dump_paper(change.paper), change.given, text_key(change.given)),
        ).fetchone()
        key = int(row[0])
        for absorbed in change.absorbs:
            _absorb(connection, absorbed, key)
        _write_rows(connection, change, key)


def _write_rows(connection: sqlite3.Connection, change: Change, key: int) -> None:
    vectors = change.vectors
    mark_unindexed(connection, [change.paper.id])
    connection.execute(
        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)",
        (key, vectors.digest, blob(vectors.passages), json.dumps(vectors.spans), blob(vectors.sentences)),
    )
    connection.execute("DELETE FROM names WHERE paper = ?", (key,))
    keys = dict.fromkeys(name for name in map(text_key, change.names) if name)
    connection.executemany("INSERT INTO names VALUES (?, ?)", [(name, key) for name in keys])
    connection.execute("DELETE FROM forms WHERE paper = ?", (key,))
    connection.executemany(
        "INSERT OR IGNORE INTO forms VALUES (?, ?, ?)", [(form, other, key) for form, other in change.forms]
    )
    connection.executemany(
        "INSERT OR REPLACE INTO identities VALUES (?, ?)",
        [(identity, key) for identity in change.identities],
    )
    write_facts(connection, key, change.facts)
    connection.executemany(
        "DELETE FROM records WHERE paper = ? AND file = ? AND record = ?",
        [(key, file, record) for file, record in change.departed],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)",
        [(record.file, record.record, key, record.digest, record.raw) for record in change.records],
    )


def write_facts(connection: sqlite3.Connection, key: int, facts: Iterable[Facts]) -> None:
    """Writes what records of the paper `key` say of it, and where that is looked for."""
    for one in facts:
        row = connection.execute(
            "INSERT OR IGNORE INTO facts (paper, line) VALUES (?, ?) RETURNING number", (key, one.dump())
        ).fetchone()
        if row:
            connection.executemany(
                "INSERT OR IGNORE INTO clues VALUES (?, ?)", [(clue, row[0]) for clue in clue_numbers(one)]
            )


def add_facts(connection: sqlite3.Connection) -> None:
    """Gives a catalogue of an earlier release its facts, from its papers; in the caller's transaction."""
    if create_facts(connection):
        for key, paper in connection.execute("SELECT key, paper FROM papers").fetchall():
            with suppress(
                ValueError, TypeError, KeyError, AttributeError
            ):  # a damaged row is another's matter
                write_facts(connection, key, [facts_of(load_paper(paper))])


def _absorb(connection: sqlite3.Connection, absorbed: str, key: int) -> None:
    """Gives what another paper was recognised by to the paper `key`, and removes the other."""
    for (old,) in connection.execute("SELECT key FROM papers WHERE id = ?", (absorbed,)).fetchall():
        connection.execute("UPDATE identities SET paper = ? WHERE paper = ?", (key, old))
        connection.execute("UPDATE OR REPLACE records SET paper = ? WHERE paper = ?", (key, old))
        connection.execute("UPDATE OR IGNORE facts SET paper = ? WHERE paper = ?", (key, old))
    delete_papers(connection, [absorbed])


def delete_papers(connection: sqlite3.Connection, ids: Sequence[str]) -> None:
    """Removes papers with all that hangs on them; in the caller's transaction."""
    mark_unindexed(connection, ids)
    for paper_id in ids:
        for (key,) in connection.execute("SELECT key FROM papers WHERE id = ?", (paper_id,)).fetchall():
            connection.execute(
                "DELETE FROM clues WHERE facts IN (SELECT number FROM facts WHERE paper = ?)", (key,)
            )
            for table in ("facts", "vectors", "names", "forms", "identities", "records"):
                connection.execute(f"DELETE FROM {table} WHERE paper = ?", (key,))
            connection.execute("DELETE FROM papers WHERE key = ?", (key,))


def mark_unindexed(connection: sqlite3.Connection, ids: Sequence[str]) -> None:
    """Marks papers that are about to change: what the indexes hold of them is out of date."""
    connection.executemany(
        "INSERT INTO unindexed SELECT ?1, COALESCE((SELECT LENGTH(v.passages) FROM papers p "
        "JOIN vectors v ON v.paper = p.key WHERE p.id = ?1), 0) / (2 * (SELECT dimension FROM state)) "
        "WHERE true "
        "ON CONFLICT (id) DO UPDATE SET windows = MAX(windows, excluded.windows)",
        [(paper_id,) for paper_id in ids],
    )
