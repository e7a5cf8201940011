"""SQLite in WAL mode at the same work: import, one rule and durable appends.

    lite.py LINES FOLDER RUNS        import under FULL and NORMAL, and one rule
    lite.py --append FOLDER COUNT           single durable appends, seconds of each

A process of its own; prints a JSON line a task.
"""

import json
import os
import pathlib
import sqlite3
import sys
import time

from measuring import say, timed

SQL = pathlib.Path(__file__).resolve().parents[1] / "sql"
BATCH = 50_000

MEMBERS = [
    "event", "at", "recorded-at", "recorder", "activity-id", "device", "bundle-id", "source", "key",
    "build", "attributes-type", "stale-date", "push-type", "token-kind", "token", "replaces",
    "state", "timestamp", "apns-priority", "apns-id", "attempt", "status", "reason", "complete",
    "dismissal-date", "dismissal-policy", "outcome", "by", "enabled", "attributes",
    "content-state", "alert", "activities",
]


def connect(file, synchronous):
    base = sqlite3.connect(file, isolation_level=None)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute(f"PRAGMA synchronous = {synchronous}")
    return base


def remove(file):
    for path in (file, f"{file}-wal", f"{file}-shm"):
        if os.path.exists(path):
            os.unlink(path)


def create(file, synchronous):
    remove(file)
    base = connect(file, synchronous)
    names = ", ".join(f'"{name}"' for name in MEMBERS)
    base.execute(f"CREATE TABLE line (seq INTEGER PRIMARY KEY, {names})")
    # Its own JSON functions; Python's take twice as long.
    values = ", ".join(f"""j ->> '$."{name}"'""" for name in MEMBERS)
    return base, f"INSERT INTO line ({names}) SELECT {values} FROM (SELECT ? AS j)"


def take_in(lines, file, synchronous):
    base, insert = create(file, synchronous)
    with open(lines, "rb") as source:
        batch = []
        for line in source:
            batch.append((line.decode(),))
            if len(batch) == BATCH:
                write(base, insert, batch)
                batch = []
        write(base, insert, batch)
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()


def write(base, insert, batch):
    base.execute("BEGIN")
    base.executemany(insert, batch)
    base.execute("COMMIT")


def append(folder, count):
    """Each event its own transaction. Only FULL syncs at every commit; NORMAL is not durable."""
    event = {"event": "update", "at": "2026-11-01T00:00:00.000000Z", "activity-id": "bench",
             "source": "app", "content-state": {"n": 1}}
    values = (json.dumps(event),)
    for synchronous in ("FULL", "NORMAL"):
        file = folder / "append.sqlite"
        base, insert = create(file, synchronous)
        seconds = []
        for _ in range(count):
            start = time.perf_counter()
            base.execute(insert, values)
            seconds.append(time.perf_counter() - start)
        base.close()
        remove(file)
        print(json.dumps({"task": f"append, {synchronous}", "each": seconds}), flush=True)


def ask(base, runs, name, statement, values, keep):
    answer = base.execute(statement, values).fetchall()
    say(name, [timed(lambda: base.execute(statement, values).fetchall()) for _ in range(runs)],
        rows=len(answer))
    keep.write_text(json.dumps(answer))


def main():
    if sys.argv[1] == "--append":
        append(pathlib.Path(sys.argv[2]), int(sys.argv[3]))
        return
    lines, folder, runs = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    file = folder / "day.sqlite"
    for synchronous in ("NORMAL", "FULL"):
        say(f"import, {synchronous}",
            [timed(lambda: take_in(lines, file, synchronous)) for _ in range(runs)],
            bytes=file.stat().st_size)
    base = connect(file, "FULL")
    base.execute("PRAGMA cache_size = -1000000")
    count = base.execute("SELECT count(*) FROM line").fetchone()[0]
    say("count", [], events=count, version=sqlite3.sqlite_version)
    ask(base, runs, "one rule", (SQL / "update-after-end-sqlite.sql").read_text(), {},
        folder / "lite.rule.json")
    remove(file)


if __name__ == "__main__":
    main()
