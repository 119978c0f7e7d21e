"""The catalogue's tables."""

from __future__ import annotations

import sqlite3

SCHEMA_VERSION = 1

# papers.rowid is the order of first ingest; every other table speaks of papers by it.
# identities: hashes of ids and aliases (those of earlier releases hold DOIs, arXiv ids and words too).
# facts: what each record of a paper says of the work; clues: under which keys such facts are looked for.
# unindexed: papers whose entries in Chroma and tantivy have still to be written or removed; `windows` is how
# many vectors of the paper Chroma may hold at most.
# forms: acronyms that abstracts explain, from short to long and back.
# pending: vectors made and not yet written, so that a killed run embeds nothing twice.
_TABLES = """
CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    uid TEXT NOT NULL, stamp TEXT NOT NULL, dimension INTEGER NOT NULL, origin TEXT NOT NULL,
    generation INTEGER NOT NULL, change INTEGER NOT NULL, version TEXT NOT NULL
) STRICT;
CREATE TABLE papers (
    key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, paper TEXT NOT NULL,
    given TEXT NOT NULL, given_key TEXT NOT NULL
) STRICT;
CREATE INDEX papers_given ON papers (given_key);
CREATE TABLE records (
    file TEXT NOT NULL, record INTEGER NOT NULL, paper INTEGER NOT NULL,
    digest BLOB NOT NULL, raw TEXT NOT NULL,
    PRIMARY KEY (file, record, paper)
) STRICT;
CREATE INDEX records_paper ON records (paper);
CREATE TABLE vectors (
    paper INTEGER PRIMARY KEY, digest BLOB NOT NULL,
    passages BLOB NOT NULL, spans TEXT NOT NULL, sentences BLOB NOT NULL
) STRICT;
CREATE TABLE names (
    key TEXT NOT NULL, paper INTEGER NOT NULL, PRIMARY KEY (key, paper)
) STRICT, WITHOUT ROWID;
CREATE INDEX names_paper ON names (paper);
CREATE TABLE forms (
    key TEXT NOT NULL, form TEXT NOT NULL, paper INTEGER NOT NULL, PRIMARY KEY (key, form, paper)
) STRICT, WITHOUT ROWID;
CREATE INDEX forms_paper ON forms (paper);
CREATE TABLE identities (key BLOB PRIMARY KEY, paper INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX identities_paper ON identities (paper);
CREATE TABLE unindexed (id TEXT PRIMARY KEY, windows INTEGER NOT NULL) STRICT;
CREATE TABLE pending (digest BLOB PRIMARY KEY, passages BLOB NOT NULL, sentences BLOB NOT NULL) STRICT;
"""


_FACTS = """
CREATE TABLE IF NOT EXISTS facts (
    number INTEGER PRIMARY KEY, paper INTEGER NOT NULL, line TEXT NOT NULL, UNIQUE (paper, line)
) STRICT;
CREATE TABLE IF NOT EXISTS clues (
    key INTEGER NOT NULL, facts INTEGER NOT NULL, PRIMARY KEY (key, facts)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS clues_facts ON clues (facts)
"""


def create_facts(connection: sqlite3.Connection) -> bool:
    """Makes the tables of facts where an earlier release made the catalogue; whether they weren't there."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'clues'").fetchone():
        return False
    for statement in _FACTS.split(";"):
        connection.execute(statement)
    return True


def create_tables(connection: sqlite3.Connection) -> None:
    """Makes the tables where the catalogue is new; in the caller's transaction."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        for statement in _TABLES.split(";"):
            if statement.strip():
                connection.execute(statement)
        create_facts(connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
