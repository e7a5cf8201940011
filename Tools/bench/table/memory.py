"""Memory of import and audit as the log grows: 10 and 40 million events, streamed."""

import shutil

import programs
from measuring import run_once

SIZES = (10_000_000, 40_000_000)


def measure(sheet, program, folder):
    sheet.title("memory as the log grows, peak megabytes of one process")
    for events in SIZES:
        lines, log = folder / "grown.ndjson", folder / "grown.log"
        programs.make_day(events, lines)
        imported = run_once([program, "ingest", log, lines])[2]
        lines.unlink()
        sheet.value(f"import, {events} events", f"{imported:.0f}")
        sheet.reach("memory of the import, MB", imported, 200)
        audited = run_once([program, "audit", log, "-o", "json"])[2]
        sheet.value(f"audit, {events} events", f"{audited:.0f}")
        shutil.rmtree(log)
