"""What has to be built before anything is measured, and the generated days."""

import pathlib
import shutil
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parents[1]
ROOT = BENCH.parents[1]
CACHE = BENCH / ".cache"
RELEASE = ROOT / ".build" / "release"


def build(products):
    for product in products:
        subprocess.run(
            ["swift", "build", "-c", "release", "--product", product],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def compiled(name, *libraries):
    """A peer in C++ from `peers/`, compiled when its source is newer; nil where it cannot be."""
    source, program = BENCH / "peers" / f"{name}.cpp", CACHE / name
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return program
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    finished = subprocess.run(
        [compiler, "-O3", "-march=native", "-std=c++17", "-pthread",
         "-DSIMDJSON_THREADS_ENABLED=1", "-o", str(program), str(source), *libraries],
        stderr=subprocess.PIPE, text=True, check=False)
    if finished.returncode != 0:
        print(finished.stderr, file=sys.stderr)
        return None
    return program


def make_day(events, path):
    """The generator's day; streamed, since forty million lines are twelve gigabytes."""
    with open(path, "wb") as out:
        subprocess.run(
            [RELEASE / "forge", "day", "--events", str(events)], stdout=out, check=True)


def count_lines(path):
    with open(path, "rb") as lines:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: lines.read(1 << 20), b""))


def log_bytes(log):
    return sum(path.stat().st_size for path in log.glob("*.alog"))
