"""Where records of papers stood in their files, and which of them moved in files that are read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corpus.stored import RawRecord

Rows = Callable[..., list[Any]]

# `claimed`: where records of this ingest stood; `departed`: places where a paper no longer has a record.
_TABLES = {
    "claimed": "file TEXT, record INTEGER, id TEXT, PRIMARY KEY (file, record, id)",
    "departed": "file TEXT, record INTEGER, id TEXT, PRIMARY KEY (file, record, id)",
}
_KNOWN = (
    "SELECT r.file, r.record, r.digest, r.raw FROM records r JOIN papers p ON p.key = r.paper "
    "WHERE p.id = ?1 AND NOT EXISTS (SELECT 1 FROM departed d "
    "WHERE d.id = ?1 AND d.file = r.file AND d.record = r.record)"
)


class Places:
    """The places of records: as the catalogue has them, and as this ingest finds them."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        for table, columns in _TABLES.items():
            rows(f"DROP TABLE IF EXISTS temp.{table}")
            rows(f"CREATE TEMP TABLE {table} ({columns})")
            rows(f"CREATE INDEX temp.{table}_id ON {table} (id)")

    def claim(self, raw: RawRecord, paper_id: str) -> None:
        """Nothing; the paper has a record in this place now."""
        self._rows("INSERT OR IGNORE INTO claimed VALUES (?, ?, ?)", raw.file, raw.record, paper_id)

    def before(self, paper_id: str, raw: RawRecord) -> RawRecord | None:
        """What this record was when it was read into this paper: in its place, else elsewhere in its file.

        Elsewhere only where another paper's record stands now: a file may be read in parts.
        """
        planned = self._rows(
            "SELECT file, record, digest, raw FROM planned_records WHERE id = ? AND file = ? AND record = ?",
            *(paper_id, raw.file, raw.record),
        )
        found = planned or self._rows(
            f"{_KNOWN} AND r.file = ?2 AND (r.record = ?3 OR NOT EXISTS (SELECT 1 FROM claimed c "
            "WHERE c.id = ?1 AND c.file = r.file AND c.record = r.record) AND EXISTS "
            "(SELECT 1 FROM claimed c WHERE c.file = r.file AND c.record = r.record)) "
            "ORDER BY r.record <> ?3, r.record LIMIT 1",
            *(paper_id, raw.file, raw.record),
        )
        return RawRecord(found[0][0], found[0][1], bytes(found[0][2]), found[0][3]) if found else None

    def others(self, paper_id: str, *, but: RawRecord) -> list[str]:
        """The texts of the paper's other records."""
        # A record that was read in this ingest stands for what it was before.
        now = self._rows("SELECT file, record, raw FROM planned_records WHERE id = ?", paper_id)
        read = {(file, record) for file, record, _ in now} | {(but.file, but.record)}
        known = [
            (row[0], row[1], row[3]) for row in self._rows(_KNOWN, paper_id) if (row[0], row[1]) not in read
        ]
        return [raw for file, record, raw in (*now, *known) if (file, record) != (but.file, but.record)]

    def at(self, raw: RawRecord) -> list[str]:
        """The ids of papers that had a record in this place before."""
        rows = self._rows(
            "SELECT COALESCE(m.id, p.id) FROM records r JOIN papers p ON p.key = r.paper "
            "LEFT JOIN moved m ON m.old = p.id WHERE r.file = ?1 AND r.record = ?2 "
            "AND NOT EXISTS (SELECT 1 FROM claimed c WHERE c.id = p.id AND c.file = ?1)",
            *(raw.file, raw.record),
        )
        return [row[0] for row in rows]

    def taken(self) -> list[tuple[str, RawRecord]]:
        """Papers that moved in their files, and the places of theirs where others' records stand now."""
        rows = self._rows(
            "SELECT DISTINCT COALESCE(m.id, p.id) AS now, r.file, r.record, r.digest, r.raw FROM claimed c "
            "JOIN records r ON r.file = c.file AND r.record = c.record JOIN papers p ON p.key = r.paper "
            "LEFT JOIN moved m ON m.old = p.id WHERE c.id <> now "
            "AND EXISTS (SELECT 1 FROM claimed k WHERE k.id = now AND k.file = r.file) "
            "AND NOT EXISTS (SELECT 1 FROM claimed k WHERE k.id = now AND k.file = r.file "
            "AND k.record = r.record)"
        )
        return [(row[0], RawRecord(row[1], row[2], bytes(row[3]), row[4])) for row in rows]

    def depart(self, old: RawRecord, paper_id: str) -> None:
        """Nothing; the paper's record no longer stands there."""
        self._rows("INSERT OR IGNORE INTO departed VALUES (?, ?, ?)", old.file, old.record, paper_id)

    def departed(self, paper_id: str) -> tuple[tuple[str, int], ...]:
        """The places where the paper no longer has a record."""
        rows = self._rows("SELECT file, record FROM departed WHERE id = ? ORDER BY file, record", paper_id)
        return tuple((row[0], row[1]) for row in rows)

    def take_in(self, old: str, into: str) -> None:
        """Nothing; the records of one paper are those of another."""
        for table in _TABLES:
            self._rows(f"UPDATE OR IGNORE {table} SET id = ? WHERE id = ?", into, old)
