"""The work on one day: import, size, audit, state, one card; ours beside the peers."""

import json
import pathlib
import shutil
import subprocess
import sys

import answers
import programs
from answers import RULES
from measuring import hear, repeated, spread

HERE = pathlib.Path(__file__).resolve().parent


class Day:
    def __init__(self, sheet, given, program, lines, folder):
        self.sheet, self.given, self.program = sheet, given, program
        self.lines, self.folder = lines, folder
        self.log = folder / "day.log"
        self.events = programs.count_lines(lines)
        self.bytes = lines.stat().st_size

    def measure(self):
        self.sheet.title(
            f"{self.events} events, {self.bytes / 1e6:.0f} MB of NDJSON, {self.given.runs} runs")
        imported = self.ours(
            "ingest", self.log, self.lines,
            before=lambda: shutil.rmtree(self.log, ignore_errors=True))
        self.card = self.some_card()
        self.duck = self.hear_duck()
        self.lite = self.hear_lite()
        self.limits = self.hear_limits()
        self.importing(imported)
        self.sizes()
        self.auditing()
        self.states()
        self.inside()
        self.rest()

    def ours(self, command, *words, output=None, before=None):
        return repeated(
            self.given.runs, [self.program, command, *words], output, before)

    def answer(self, name):
        return self.folder / f"ours.{name}"

    # The peers and the limits

    def some_card(self):
        """A card that was on screen at noon, the same in every run."""
        state = self.answer("state.jsonl")
        self.state = self.ours(
            "state", self.log, "--at", "2026-11-01T12:00:00Z", "-o", "jsonl", output=state)
        return min(answers.our_cards(state))

    def hear_duck(self):
        try:
            import duckdb  # noqa: F401
        except ImportError:
            self.sheet.note("DuckDB could not be installed; its lines are missing")
            return {}
        return hear([sys.executable, HERE / "duck.py", self.lines, self.folder,
                     self.given.runs, self.card])

    def hear_lite(self):
        if self.given.no_sqlite:
            self.sheet.note("SQLite was left out")
            return {}
        return hear([sys.executable, HERE / "lite.py", self.lines, self.folder, 1])

    def hear_limits(self):
        heard = {}
        for name, libraries, words in (
            ("limits", ["-llz4"], [self.lines, self.log]),
            ("simdjson", ["-lsimdjson"], [self.lines]),
        ):
            program = programs.compiled(name, *libraries)
            if program is None:
                self.sheet.note(f"{name} could not be compiled; its lines are missing")
            else:
                heard |= hear([program, *words, self.given.runs])
        return heard

    # The table

    def peer(self, heard, task, name, note=""):
        """A line of a peer's; its spread, or nil when the peer is not there."""
        if task not in heard:
            return None
        measured = spread(heard[task])
        self.sheet.line(name, measured, self.events, note)
        return measured

    def within(self, what, ours, theirs, bound):
        """Our share of a peer's time."""
        if theirs:
            self.sheet.reach(f"{what}, share of its time", ours.median / theirs.median, bound)

    def importing(self, imported):
        sheet = self.sheet
        sheet.section("import")
        sheet.line("activitylog ingest", imported, self.events)
        duck = self.peer(self.duck, "import", "DuckDB, typed columns")
        for synchronous in ("FULL", "NORMAL"):
            self.peer(self.lite, f"import, {synchronous}", f"SQLite WAL, {synchronous}, 1 run")
        packed = self.folder / "day.lz4"
        if shutil.which("lz4"):
            sheet.line("lz4 -1 of the lines", repeated(
                self.given.runs, ["lz4", "-1", "-q", "-f", self.lines, packed]), self.events)
            self.lz4 = packed.stat().st_size
            packed.unlink()
        else:
            self.lz4 = None
            sheet.note("the command lz4 is missing")
        for task in ("memory copy", "newline split"):
            self.peer(self.limits, task, f"limit: {task}")
        self.within("DuckDB", imported, duck, 1 / 4)
        sheet.reach("memory of the import, MB", imported.memory, 200)
        for task in ("simdjson, DOM", "simdjson, On-Demand"):
            if task in self.limits:
                sheet.rate(f"{task}, one thread", spread(self.limits[task]), self.bytes)

    def sizes(self):
        sheet = self.sheet
        sheet.section("bytes per event, whole files")
        written = programs.log_bytes(self.log) / self.events
        sheet.value("activitylog as written", f"{written:.1f}")
        packed = self.packed()
        if packed:
            sheet.value("activitylog packed", f"{packed:.1f}")
        for task, name in (("import", "DuckDB, own file"), ("size, Parquet lz4", "Parquet LZ4"),
                           ("size, Parquet zstd", "Parquet zstd")):
            if task in self.duck:
                sheet.value(name, f"{self.duck[task]['bytes'] / self.events:.1f}")
        if "import, FULL" in self.lite:
            sheet.value("SQLite", f"{self.lite['import, FULL']['bytes'] / self.events:.1f}")
        if self.lz4:
            sheet.value("lz4 -1 of the lines", f"{self.lz4 / self.events:.1f}")
        sheet.reach("bytes per event as written", written, 32)
        if packed:
            sheet.reach("bytes per event packed", packed, 21)

    def packed(self):
        """Bytes per event of a packed copy; nil while there is no such command."""
        asked = subprocess.run([self.program, "pack", "--help"], capture_output=True, check=False)
        if asked.returncode != 0:
            self.sheet.note("this build has no command pack")
            return None
        copy = self.folder / "packed.log"
        shutil.copytree(self.log, copy)
        self.pack = repeated(1, [self.program, "pack", copy])
        size = programs.log_bytes(copy) / self.events
        self.sheet.line("activitylog pack, 1 run", self.pack, self.events)
        shutil.rmtree(copy)
        return size

    def auditing(self):
        sheet = self.sheet
        sheet.section("audit")
        five = [word for rule in RULES for word in ("--rule", rule)]
        listed = json.loads(subprocess.run(
            [self.program, "rules", "-o", "json"], capture_output=True, check=True).stdout)
        reading = [
            word for rule in listed["rules"] if rule["reads"] != "none"
            for word in ("--skip", rule["rule"])]
        report = self.answer("rules.json")
        ours = self.ours("audit", self.log, *five, "-o", "json", output=report)
        sheet.line("activitylog, the five rules", ours, self.events)
        without = self.ours("audit", self.log, *reading, "-o", "json")
        sheet.line("activitylog, all that read no content", without, self.events)
        everything = self.ours("audit", self.log, "-o", "json")
        sheet.line("activitylog, all rules", everything, self.events)
        duck = self.peer(self.duck, "five rules, own file", "DuckDB, the five rules, own file")
        for name in ("Parquet lz4", "Parquet zstd"):
            self.peer(self.duck, f"five rules, {name}", f"DuckDB, the five rules, {name}")
        self.peer(self.duck, "five rules, joined beforehand",
                  "DuckDB, ids and answers joined before")
        self.peer(self.lite, "one rule", "SQLite, update-after-end alone", "1 run")
        payload = self.peer(self.limits, "LZ4 decode of the payload", "limit: LZ4 decode, payload")
        self.within("five rules, DuckDB", ours, duck, 1 / 3)
        self.within("all that read no content, DuckDB's five", without, duck, 1 / 2)
        if payload:
            extra = everything.median - without.median
            if extra > 0:
                sheet.reach("reading content, times one decode of it", extra / payload.median, 3)
            else:
                # Contents are read whatever rules are on, so that the two differ by chance alone.
                sheet.note("what reading content costs an audit could not be told apart")
        self.compare_findings(report)

    def compare_findings(self, report):
        found = answers.our_findings(report, RULES)
        for task, name in (("duck.rules.json", "DuckDB"), ("duck.resolved.json", "joined before")):
            if (self.folder / task).exists():
                for rule in RULES:
                    mine = {f for f in found if f[0] == rule}
                    theirs = answers.their_findings(self.folder / task)
                    answers.must_equal(self.sheet, f"{rule}, {name}", mine,
                                       {f for f in theirs if f[0] == rule})
        if (self.folder / "lite.rule.json").exists():
            answers.must_equal(
                self.sheet, "update-after-end, SQLite",
                {f for f in found if f[0] == "update-after-end"},
                answers.their_findings(self.folder / "lite.rule.json"))

    def states(self):
        sheet = self.sheet
        sheet.section("state of all at noon, with content")
        sheet.line("activitylog state", self.state, self.events)
        duck = self.peer(self.duck, "state, own file", "DuckDB, own file")
        for name in ("Parquet lz4", "Parquet zstd"):
            self.peer(self.duck, f"state, {name}", f"DuckDB, {name}")
        self.within("DuckDB", self.state, duck, 1 / 2)
        cards = answers.our_cards(self.answer("state.jsonl"))
        if duck:
            answers.must_equal(
                sheet, "cards", cards, answers.their_cards(self.folder / "duck.state.json"))
        sheet.section("state of one card at noon")
        single = self.answer("card.jsonl")
        one = self.ours("state", self.log, self.card, "--at", "2026-11-01T12:00:00Z", "-o", "jsonl",
                        output=single)
        sheet.line("activitylog state LOG ID", one)
        for name in ("own file", "Parquet lz4", "Parquet zstd"):
            if f"one card, {name}" in self.duck:
                sheet.line(f"DuckDB, {name}", spread(self.duck[f"one card, {name}"]))
        sheet.reach("milliseconds, whole process", one.median * 1000, 15)
        if duck:
            answers.must_equal(sheet, "card", answers.our_cards(single),
                               answers.their_cards(self.folder / "duck.card.json"))

    def inside(self):
        """Parts of the library, and hot commands, inside one process."""
        bench = programs.RELEASE / "bench"
        if not bench.exists():
            self.sheet.note("the program bench is not built: in-process lines are missing")
            return
        sheet, runs = self.sheet, ["--runs", self.given.runs]
        sheet.section("in-process")
        heard = hear([bench, "split", "scan", "parse", "encode", self.lines, *runs])
        heard |= hear([bench, "skeleton", "decode", "fold", "audit", self.log, *runs])
        for task, measured in heard.items():
            sheet.line(f"in-process, {task}", spread(measured), self.events)
        scanned = spread(heard["scan"])
        sheet.rate("in-process, scan", scanned, self.bytes)
        if "simdjson, DOM" in self.limits:
            theirs = spread(self.limits["simdjson, DOM"])
            sheet.reach("scan, share of simdjson's speed", theirs.median / scanned.median, 0.5,
                        at_least=True)
        decoded = spread(heard["skeleton"])
        sheet.reach("columns, nanoseconds an event", decoded.median / self.events * 1e9, 4)
        for name, words in (
            ("state of all at noon",
             ["state", self.log, "--at", "2026-11-01T12:00:00Z", "-o", "jsonl"]),
            ("the five rules", ["audit", self.log, "-o", "json"]
             + [word for rule in RULES for word in ("--rule", rule)]),
        ):
            hot = hear([bench, "command", *runs, "--", *words])
            sheet.line(f"in-process, {name}", spread(hot[words[0]]), self.events)

    def rest(self):
        """Work no number was set for."""
        sheet = self.sheet
        sheet.section("other work")
        sheet.line("activitylog verify", self.ours("verify", self.log), self.events)
        sheet.line("activitylog export", self.ours("export", self.log), self.events)
        if "CRC-32C" in self.limits:
            sheet.rate("limit: CRC-32C", spread(self.limits["CRC-32C"]), self.bytes)
        for heard, name in ((self.duck, "DuckDB"), (self.lite, "SQLite")):
            if "count" in heard:
                answers.must_equal(sheet, f"events, {name} {heard['count']['version']}",
                                   self.events, heard["count"]["events"])
