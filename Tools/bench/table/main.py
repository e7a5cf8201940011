"""Makes the days, measures ours, the peers and the limits, and prints the table.

Fails when a peer's answer differs from ours; never for being slow, unless `--gate` says so.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import sys
import tempfile

import appending
import programs
import tasks
from sheet import Sheet

DAY, FOUR_DAYS = 2_640_000, 10_560_000


def options():
    parser = argparse.ArgumentParser(prog="Tools/bench/run", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a day of 300 000 events only")
    parser.add_argument("--one", action="store_true", help="one day, not four times that as well")
    parser.add_argument("--events", type=int, help="a day of so many events only")
    parser.add_argument("--runs", type=int, default=5, help="how often each is repeated")
    parser.add_argument("--append", type=int, default=2000, help="durable appends measured")
    parser.add_argument("--memory", action="store_true", help="also 10 and 40 million events")
    parser.add_argument("--no-sqlite", action="store_true", help="leave SQLite out")
    parser.add_argument("--day", type=pathlib.Path, help="lines already made by forge")
    parser.add_argument("--activitylog", type=pathlib.Path, help="another build of the command")
    parser.add_argument("--json", type=pathlib.Path, help="the measurements as JSON as well")
    parser.add_argument("--gate", action="store_true", help="exit 1 when a number is not reached")
    return parser.parse_args()


def about_machine(sheet):
    cores = os.cpu_count()
    load = os.getloadavg()[0]
    sheet.title(f"{cores} cores, {processor()}, {platform.system()} {platform.release()}")
    print(f"load before: {load:.1f}")
    if load > 0.5:
        sheet.note("the machine was busy with other work: wall times say little, cpu times some")


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def sizes(given):
    if given.quick:
        return [300_000]
    if given.events:
        return [given.events]
    return [DAY] if given.one else [DAY, FOUR_DAYS]


def main():
    given = options()
    products = [] if given.activitylog else ["activitylog", "bench"]
    products += [] if given.day else ["forge"]
    programs.build(products)
    program = given.activitylog or programs.RELEASE / "activitylog"
    os.environ["TZ"] = "UTC"
    sheet = Sheet()
    about_machine(sheet)
    with tempfile.TemporaryDirectory(prefix="activity-bench-") as folder:
        folder = pathlib.Path(folder)
        days = [given.day] if given.day else sizes(given)
        for number, day in enumerate(days):
            lines = day
            if not given.day:
                lines = folder / "day.ndjson"
                programs.make_day(day, lines)
            room = folder / str(number)
            room.mkdir()
            tasks.Day(sheet, given, program, lines, room).measure()
            shutil.rmtree(room)
        appending.measure(sheet, given, program, folder)
        if given.memory:
            import memory
            memory.measure(sheet, program, folder)
    sheet.foot()
    if given.json:
        given.json.write_text(json.dumps(sheet.rows))
    if given.gate and sheet.missed:
        sys.exit(1)


if __name__ == "__main__":
    main()
