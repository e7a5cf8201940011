"""DuckDB at the same work: two threads, hot, on its own file and on Parquet.

    duck.py LINES FOLDER RUNS NAME

Runs as a process of its own, so that its memory is its own; prints a JSON line a task. Answers are
left in FOLDER for the comparison with ours. NAME is the activity whose state is asked for.
"""

import datetime
import json
import os
import pathlib
import resource
import sys

import duckdb

from measuring import say, timed

SQL = pathlib.Path(__file__).resolve().parents[1] / "sql"
NOON = datetime.datetime(2026, 11, 1, 12)

# Contents stay text: what was recorded must come back as it was.
COLUMNS = {
    "event": "VARCHAR", "at": "TIMESTAMP", "recorded-at": "TIMESTAMP", "recorder": "VARCHAR",
    "activity-id": "UUID", "device": "VARCHAR", "bundle-id": "VARCHAR", "source": "VARCHAR",
    "key": "VARCHAR", "build": "VARCHAR", "attributes-type": "VARCHAR", "attributes": "JSON",
    "content-state": "JSON", "stale-date": "BIGINT", "push-type": "VARCHAR",
    "token-kind": "VARCHAR", "token": "VARCHAR", "replaces": "VARCHAR", "state": "VARCHAR",
    "timestamp": "BIGINT", "apns-priority": "INTEGER", "apns-id": "UUID", "attempt": "INTEGER",
    "status": "INTEGER", "reason": "VARCHAR", "alert": "JSON", "complete": "BOOLEAN",
    "activities": "JSON", "dismissal-date": "BIGINT", "dismissal-policy": "VARCHAR",
    "outcome": "VARCHAR", "by": "VARCHAR", "enabled": "BOOLEAN",
}


def column(member):
    return "moment" if member == "at" else member.replace("-", "_")


def read_lines(lines):
    types = ", ".join(f"'{member}': '{kind}'" for member, kind in COLUMNS.items())
    names = ", ".join(f'"{member}" AS {column(member)}' for member in COLUMNS)
    return (f"SELECT {names} FROM read_json('{lines}', format = 'newline_delimited',"
            f" columns = {{{types}}})")


def take_in(lines, file):
    """A fresh database from the lines, written out to its file."""
    for path in (file, f"{file}.wal"):
        if os.path.exists(path):
            os.unlink(path)
    base = duckdb.connect(str(file), config={"threads": 2})
    base.execute(f"CREATE TABLE recorded AS {read_lines(lines)}")
    base.execute("CHECKPOINT")
    base.close()


def sources(folder, base):
    """The own file and two Parquet files, as the statements see them."""
    base.execute("CREATE TEMP VIEW own AS SELECT rowid AS row, * FROM recorded")
    yield "own file", "own"
    for codec in ("lz4", "zstd"):
        file = folder / f"day.{codec}.parquet"
        base.execute(f"COPY recorded TO '{file}' (FORMAT parquet, COMPRESSION {codec})")
        base.execute(
            f"CREATE TEMP VIEW parquet_{codec} AS SELECT file_row_number AS row, *"
            f" EXCLUDE (file_row_number) FROM read_parquet('{file}', file_row_number = true)")
        say(f"size, Parquet {codec}", [], bytes=file.stat().st_size)
        yield f"Parquet {codec}", f"parquet_{codec}"


def state_of(which):
    return (SQL / "state.sql").read_text().replace("{which}", which)


ONE = ("activity_id = $id OR token IN"
       " (SELECT token FROM line WHERE activity_id = $id AND event = 'token')")


def ask(base, runs, name, statement, values, keep):
    """Hot: asked once unmeasured, then `runs` times; the answer goes to a file."""
    answer = base.execute(statement, values).fetchall()
    measured = [
        timed(lambda: base.execute(statement, values).fetchall()) for _ in range(runs)]
    say(name, measured, rows=len(answer))
    if keep:
        keep.write_text(json.dumps(answer, default=lambda value: value.isoformat()))


def main():
    lines, folder, card = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[4]
    runs = int(sys.argv[3])
    file = folder / "day.duckdb"
    say("import", [timed(lambda: take_in(lines, file)) for _ in range(runs)],
        bytes=file.stat().st_size,
        memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    base = duckdb.connect(str(file), config={"threads": 2})
    base.execute("SET TimeZone = 'UTC'")
    count = base.execute("SELECT count(*) FROM recorded").fetchone()[0]
    say("count", [], events=count, version=duckdb.__version__)
    rules = (SQL / "five-rules.sql").read_text()
    for label, view in sources(folder, base):
        base.execute(f"CREATE OR REPLACE TEMP VIEW line AS SELECT * FROM {view}")
        keep = folder if view == "own" else None
        ask(base, runs, f"five rules, {label}", rules, {}, keep and folder / "duck.rules.json")
        ask(base, runs, f"state, {label}", state_of("true"), {"now": NOON},
            keep and folder / "duck.state.json")
        ask(base, runs, f"one card, {label}", state_of(ONE), {"now": NOON, "id": card},
            keep and folder / "duck.card.json")
    resolved(base, runs, folder)


def resolved(base, runs, folder):
    """The rules again where identity and answers were joined before anybody asked."""
    base.execute((SQL / "resolve.sql").read_text())
    ask(base, runs, "five rules, joined beforehand", (SQL / "five-rules-resolved.sql").read_text(),
        {}, folder / "duck.resolved.json")


if __name__ == "__main__":
    main()
