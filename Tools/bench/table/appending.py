"""Durable appends beside the bare loop, and how soon a follower prints them."""

import os
import pathlib
import statistics
import subprocess
import sys
import time

import programs
from measuring import Spread, hear

LINE = (b'{"event":"update","activity-id":"bench","source":"app",'
        b'"content-state":{"status":"brewing","left":1}}\n')
ROUNDS = 10
HERE = pathlib.Path(__file__).resolve().parent


class Appender:
    """`append LOG -`: a line in, an answer out when it is durable."""

    def __init__(self, program, log):
        self.log = log
        self.process = subprocess.Popen(
            [str(program), "append", str(log), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            bufsize=0)
        self.answers = open(self.process.stdout.fileno(), "rb", closefd=False)

    def send(self, line=LINE):
        self.process.stdin.write(line)

    def answer(self):
        answer = self.answers.readline()
        if not answer.startswith(b"{") and not answer.strip().isdigit():
            sys.exit(f"append answered {answer!r}")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def one_by_one(appender, count):
    seconds = []
    for _ in range(count):
        start = time.perf_counter()
        appender.send()
        appender.answer()
        seconds.append(time.perf_counter() - start)
    return seconds


def outstanding(appender, count, window=64):
    """Seconds for `count` appends of which `window` are always under way."""
    start = time.perf_counter()
    for _ in range(window):
        appender.send()
    for number in range(count):
        appender.answer()
        if number + window < count:
            appender.send()
    return time.perf_counter() - start


def bare(file, size, count):
    """write + fdatasync of as many bytes: what no durable append can beat."""
    seconds = []
    data = b"x" * size
    for _ in range(count):
        start = time.perf_counter()
        os.write(file, data)
        os.fdatasync(file)
        seconds.append(time.perf_counter() - start)
    return seconds


def measure(sheet, given, program, folder):
    sheet.title(f"appending, {given.append} events")
    sheet.section("append, each durable before the next")
    log = folder / "append.log"
    appender = Appender(program, log)
    one_by_one(appender, 50)
    size = growth(appender)
    file = os.open(folder / "bare", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    ours, raw = [], []
    # In turns, so that the disk is in the same mood for both.
    for _ in range(ROUNDS):
        ours += one_by_one(appender, given.append // ROUNDS)
        raw += bare(file, size, given.append // ROUNDS)
    os.close(file)
    many = [outstanding(appender, given.append) / given.append for _ in range(given.runs)]
    appender.close()
    latencies(sheet, "activitylog append LOG -", ours)
    latencies(sheet, f"limit: bare write + fdatasync, {size} B", raw)
    if not given.no_sqlite:
        lite = hear([sys.executable, HERE / "lite.py", "--append", folder, given.append])
        latencies(sheet, "SQLite WAL, FULL", lite["append, FULL"]["each"])
        latencies(sheet, "SQLite WAL, NORMAL (not durable)", lite["append, NORMAL"]["each"])
    share = statistics.median(raw) / statistics.median(ours)
    sheet.reach("speed, share of the bare loop's", share, 0.9, at_least=True)
    sheet.section("append, 64 under way")
    sheet.value("activitylog, microseconds each", f"{statistics.median(many) * 1e6:.1f}")
    sheet.reach("speed, times the bare loop's", statistics.median(raw) / statistics.median(many),
                10, at_least=True)
    library(sheet, given, folder)
    follow(sheet, given, program, folder)


def library(sheet, given, folder):
    """The same through the library, without a pipe between."""
    bench = programs.RELEASE / "bench"
    if not bench.exists():
        return
    sheet.section("append in-process")
    room = folder / "library"
    room.mkdir()
    heard = hear([bench, "append", room, "--count", given.append])
    ours, raw, many = (heard[task]["seconds"] for task in ("append", "bare append", "64 appenders"))
    latencies(sheet, "LogWriter, one after another", ours)
    latencies(sheet, "limit: bare write + fdatasync", raw)
    latencies(sheet, "LogRecorder, 64 appenders, each", many)
    bare_time = statistics.median(raw)
    sheet.reach("speed, share of the bare loop's", bare_time / statistics.median(ours), 0.9,
                at_least=True)
    sheet.reach("64 appenders, times the bare loop's", bare_time / statistics.median(many), 10,
                at_least=True)


def growth(appender):
    """Bytes that one appended event adds to the log."""
    def size():
        return sum(path.stat().st_size for path in appender.log.glob("*.alog"))
    before = size()
    one_by_one(appender, 100)
    return max(1, (size() - before) // 100)


def latencies(sheet, name, seconds):
    s = Spread(seconds)
    print(f"  {name:<38}{s.median * 1e6:>8.0f} us"
          f"   90 %: {s.at(0.9) * 1e6:.0f}, 99 %: {s.at(0.99) * 1e6:.0f},"
          f" most: {s.runs[-1] * 1e6:.0f}", flush=True)


def follow(sheet, given, program, folder):
    """From handing a line to `append` until `tail -f` printed it."""
    sheet.section("follow: append to printed line")
    log = folder / "follow.log"
    appender = Appender(program, log)
    one_by_one(appender, 1)
    tail = subprocess.Popen(
        [str(program), "tail", "-f", "-n", "1", "-o", "jsonl", str(log)],
        stdout=subprocess.PIPE, bufsize=0)
    printed = open(tail.stdout.fileno(), "rb", closefd=False)
    printed.readline()
    sent, durable = [], []
    for _ in range(min(given.append, 500)):
        start = time.perf_counter()
        appender.send()
        appender.answer()
        answered = time.perf_counter()
        printed.readline()
        seen = time.perf_counter()
        sent.append(seen - start)
        durable.append(seen - answered)
        # An event at a time, as a person sees them.
        time.sleep(0.002)
    appender.close()
    tail.terminate()
    tail.wait()
    latencies(sheet, "from the line sent", sent)
    latencies(sheet, "from the append's answer", durable)
    sheet.reach("milliseconds at p99, from the line sent", Spread(sent).at(0.99) * 1000, 5)
