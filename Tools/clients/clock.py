"""A clock that only a program moves, so that a library's "now" is the same in every run.

Install it before the library is imported: `time.time`, `time.sleep` and `uuid.uuid4` are what the
libraries call, and some copy the function when they are imported.
"""

import datetime
import random
import time
import uuid

EVENING = datetime.datetime(2026, 11, 20, 18, tzinfo=datetime.timezone.utc)


class Clock:
    """Seconds since 1970, starting at 18:00 UTC on 20 November 2026."""

    def __init__(self, seed):
        self.micros = int(EVENING.timestamp()) * 1_000_000
        self._random = random.Random(seed)

    def at(self, text):
        """Moves to a time of the evening, `HH:MM:SS` or `HH:MM:SS.ffffff`."""
        moment = datetime.time.fromisoformat(text)
        day = datetime.datetime.combine(EVENING.date(), moment, datetime.timezone.utc)
        self.micros = (day - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // (
            datetime.timedelta(microseconds=1)
        )

    def advance(self, seconds):
        self.micros += round(seconds * 1_000_000)

    def now(self):
        return self.micros / 1_000_000

    def moment(self, zone=datetime.timezone.utc):
        start = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        moment = start + datetime.timedelta(microseconds=self.micros)
        return moment.astimezone(zone)

    def uuid(self):
        return uuid.UUID(int=self._random.getrandbits(128), version=4)

    def rfc3339(self):
        """`2026-11-20T18:00:00.250Z`."""
        return self.moment().isoformat(timespec="milliseconds").replace("+00:00", "Z")


def install(seed):
    """Makes a clock and lets the standard library tell its time and draw its UUIDs."""
    clock = Clock(seed)
    time.time = clock.now
    time.sleep = clock.advance
    uuid.uuid4 = clock.uuid
    return clock
