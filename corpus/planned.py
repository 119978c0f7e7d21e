"""The papers that an ingest is going to write, kept in temporary tables beside the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.catalogue import Catalogue
from corpus.facts import Facts, same_work
from corpus.papers import Paper, text_key
from corpus.places import Places
from corpus.stored import RawRecord, clue_numbers, dump_paper, identity_hashes, load_paper

# Temporary tables lie in a file of their own and are gone with the connection. `place` is the order of
# writing; a paper that the catalogue has keeps its place there.
_TABLES = {
    "planned": "place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, paper TEXT NOT NULL, "
    "given TEXT NOT NULL, given_key TEXT NOT NULL, absorbs TEXT NOT NULL",
    "planned_facts": "number INTEGER PRIMARY KEY, id TEXT NOT NULL, line TEXT NOT NULL, UNIQUE (id, line)",
    "planned_clues": "key INTEGER, facts INTEGER, PRIMARY KEY (key, facts)",
    "moved": "old TEXT PRIMARY KEY, id TEXT NOT NULL",
    "planned_identities": "key BLOB PRIMARY KEY, id TEXT NOT NULL",
    "planned_records": "file TEXT, record INTEGER, digest BLOB, raw TEXT, id TEXT, "
    "PRIMARY KEY (file, record, id)",
}
# Records of one title that a record is compared with: more are of those that any paper may have.
_COMPARED = 200
_INDEXES = {"moved": "id", "planned": "given_key", "planned_records": "id", "planned_identities": "id"}


@dataclass(frozen=True)
class Planned:
    """A paper to be written, the label it was read with, the ids it takes in, and its new records.

    `identities` are hashes of all ids that its records go by, `facts` what its new records say of the work,
    `departed` the places in files where it no longer has a record.
    """

    paper: Paper
    given: str
    absorbs: tuple[str, ...] = ()
    records: tuple[RawRecord, ...] = ()
    identities: tuple[bytes, ...] = ()
    facts: tuple[Facts, ...] = ()
    departed: tuple[tuple[str, int], ...] = ()


class PlannedPapers:
    """The catalogue as it will be: what is planned, and beneath it what is there."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._rows = catalogue.rows
        self._loaded = catalogue.loaded
        for table, columns in _TABLES.items():
            self._rows(f"DROP TABLE IF EXISTS temp.{table}")
            self._rows(f"CREATE TEMP TABLE {table} ({columns})")
        for table, column in _INDEXES.items():
            self._rows(f"CREATE INDEX temp.{table}_{column} ON {table} ({column})")
        self.places = Places(self._rows)

    def __len__(self) -> int:
        """The number of papers to be written."""
        return int(self._rows("SELECT COUNT(*) FROM planned")[0][0])

    def batches(self, size: int) -> Iterator[list[Planned]]:
        """The papers to be written, in order, `size` at a time."""
        last = -1
        while rows := self._rows(
            "SELECT place, id, paper, given, absorbs FROM planned WHERE place > ? ORDER BY place LIMIT ?",
            *(last, size),
        ):
            yield [
                Planned(
                    *(load_paper(row[2]), row[3], tuple(json.loads(row[4]))),
                    records=self._records(row[1]),
                    identities=self._identities(row[1]),
                    facts=self._facts(row[1]),
                    departed=self.places.departed(row[1]),
                )
                for row in rows
            ]
            last = rows[-1][0]

    def find(self, identity: bytes) -> Planned | None:
        """The paper with this identity, as planned where it is, else as the catalogue has it."""
        rows = self._rows("SELECT id FROM planned_identities WHERE key = ?", identity) or self._rows(
            "SELECT p.id FROM identities i JOIN papers p ON p.key = i.paper WHERE i.key = ?", identity
        )
        return self.load(rows[0][0]) if rows else None

    def same(self, facts: Facts) -> list[Planned]:
        """The papers of which some record is of the same work as this one."""
        found: dict[str, None] = {}
        for clue in clue_numbers(facts):
            rows = self._rows(
                "SELECT id, line FROM planned_clues c JOIN planned_facts f ON f.number = c.facts "
                "WHERE c.key = ?1 "
                "UNION SELECT COALESCE(m.id, p.id), f.line FROM clues c "
                "JOIN facts f ON f.number = c.facts "
                "JOIN papers p ON p.key = f.paper LEFT JOIN moved m ON m.old = p.id "
                "WHERE c.key = ?1 LIMIT ?2",
                *(clue, _COMPARED),
            )
            for paper_id, line in rows:
                if paper_id not in found and same_work(facts, Facts.load(line)):
                    found[paper_id] = None
        return [one for paper_id in found if (one := self.load(paper_id))]

    def read_before(self, raw: RawRecord) -> Planned | None:
        """The paper into which this very record was read before."""
        rows = self._rows(
            "SELECT id FROM planned_records WHERE file = ?1 AND record = ?2 AND digest = ?3 UNION ALL "
            "SELECT COALESCE(m.id, p.id) FROM records r JOIN papers p ON p.key = r.paper "
            "LEFT JOIN moved m ON m.old = p.id WHERE r.file = ?1 AND r.record = ?2 AND r.digest = ?3",
            *(raw.file, raw.record, raw.digest),
        )
        return self.load(rows[0][0]) if rows else None

    def load(self, paper_id: str) -> Planned | None:
        """The paper with this id, as planned where it is, else as the catalogue has it."""
        for table, absorbs in (("planned", "absorbs"), ("papers", "'[]'")):
            rows = self._rows(f"SELECT paper, given, {absorbs} FROM {table} WHERE id = ?", paper_id)
            if rows:
                return Planned(self._loaded(paper_id, rows[0][0]), rows[0][1], tuple(json.loads(rows[0][2])))
        return None

    def place(self, paper_id: str) -> int:
        """The paper's place in the order of writing; a new one's is past all others."""
        rows = (
            self._rows("SELECT place FROM planned WHERE id = ?", paper_id)
            or self._rows("SELECT key FROM papers WHERE id = ?", paper_id)
            or self._rows(
                "SELECT 1 + MAX(COALESCE((SELECT MAX(place) FROM planned), 0), "
                "COALESCE((SELECT MAX(key) FROM papers), 0))"
            )
        )
        return int(rows[0][0])

    def put(self, planned: Planned) -> None:
        """Plans a paper, in the place of what was planned under its id."""
        paper = planned.paper
        self._rows(
            "INSERT OR REPLACE INTO planned VALUES (?, ?, ?, ?, ?, ?)",
            *(self.place(paper.id), paper.id, dump_paper(paper)),
            *(planned.given, text_key(planned.given), json.dumps(planned.absorbs)),
        )
        for identity in (*planned.identities, *identity_hashes(paper)):
            self._rows("INSERT OR REPLACE INTO planned_identities VALUES (?, ?)", identity, paper.id)
        for facts in planned.facts:
            self._put_facts(facts, paper.id)
        for raw in planned.records:
            self._rows(
                "INSERT OR REPLACE INTO planned_records VALUES (?, ?, ?, ?, ?)",
                *(raw.file, raw.record, raw.digest, raw.raw, paper.id),
            )

    def take_in(self, paper: Paper, into: str) -> None:
        """Plans that `into` is recognised by all that `paper` is, and has its records."""
        known = self._rows(
            "SELECT i.key FROM papers p JOIN identities i ON i.paper = p.key WHERE p.id = ?", paper.id
        )
        for identity in [*identity_hashes(paper), *(row[0] for row in known)]:
            self._rows("INSERT OR REPLACE INTO planned_identities VALUES (?, ?)", identity, into)
        self._rows("UPDATE OR REPLACE planned_records SET id = ? WHERE id = ?", into, paper.id)
        self._rows("UPDATE OR IGNORE planned_facts SET id = ? WHERE id = ?", into, paper.id)
        self.places.take_in(paper.id, into)
        self._rows("UPDATE moved SET id = ? WHERE id = ?", into, paper.id)
        self._rows("INSERT OR REPLACE INTO moved VALUES (?, ?)", paper.id, into)
        self._rows("DELETE FROM planned WHERE id = ?", paper.id)

    def same_labels(self) -> Iterator[list[Planned]]:
        """Groups of papers that were read with one label, in order of first ingest, if one is planned."""
        keys = self._rows(
            "SELECT DISTINCT given_key FROM planned p WHERE EXISTS "
            "(SELECT 1 FROM planned q WHERE q.given_key = p.given_key AND q.id <> p.id) OR EXISTS "
            "(SELECT 1 FROM papers r WHERE r.given_key = p.given_key AND r.id <> p.id)"
        )
        for (key,) in keys:
            rows = self._rows(
                "SELECT id FROM planned WHERE given_key = ?1 UNION SELECT id FROM papers "
                "WHERE given_key = ?1 AND id NOT IN (SELECT id FROM planned)",
                key,
            )
            if len(rows) > 1:
                names = sorted((row[0] for row in rows), key=self.place)
                group = [one for name in names if (one := self.load(name))]
                absorbed = {name for one in group for name in one.absorbs}
                yield [one for one in group if one.paper.id not in absorbed]

    def _put_facts(self, facts: Facts, paper_id: str) -> None:
        rows = self._rows(
            "INSERT OR IGNORE INTO planned_facts (id, line) VALUES (?, ?) RETURNING number",
            *(paper_id, facts.dump()),
        )
        for clue in clue_numbers(facts) if rows else []:
            self._rows("INSERT OR IGNORE INTO planned_clues VALUES (?, ?)", clue, rows[0][0])

    def _facts(self, paper_id: str) -> tuple[Facts, ...]:
        rows = self._rows("SELECT line FROM planned_facts WHERE id = ? ORDER BY number", paper_id)
        return tuple(Facts.load(row[0]) for row in rows)

    def _identities(self, paper_id: str) -> tuple[bytes, ...]:
        rows = self._rows("SELECT key FROM planned_identities WHERE id = ? ORDER BY key", paper_id)
        return tuple(row[0] for row in rows)

    def _records(self, paper_id: str) -> tuple[RawRecord, ...]:
        rows = self._rows(
            "SELECT file, record, digest, raw FROM planned_records WHERE id = ? ORDER BY rowid", paper_id
        )
        return tuple(RawRecord(*row) for row in rows)
