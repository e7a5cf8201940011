"""Whether the peers say what we say. A difference ends the run: figures of two programs that do
different work cannot stand side by side."""

import json
import sys

RULES = ["never-ended", "end-not-delivered", "late-end", "update-after-end", "start-not-delivered"]


def our_findings(path, rules):
    report = json.loads(path.read_text())
    return {(f["rule"], f["name"]) for f in report["findings"] if f["rule"] in rules}


def our_cards(path):
    """By name: phase, begin, end, type, attributes and content as texts, key, device, build."""
    cards = {}
    for line in path.read_text().splitlines():
        card = json.loads(line)
        cards[card["name"]] = (
            card["phase"], card["started-at"], card["ended-at"], card["attributes-type"],
            text(card["attributes"]), text(card["content-state"]), card["key"], card["device"],
            card["build"])
    return cards


def text(value):
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def their_findings(path):
    return {tuple(row) for row in json.loads(path.read_text())}


def their_cards(path):
    return {
        row[0]: (row[1], instant(row[2]), instant(row[3]), *row[4:])
        for row in json.loads(path.read_text())
    }


def instant(moment):
    """`2026-11-01T11:59:12.120000` as the log spells it."""
    if moment is None:
        return None
    return moment + (".000000Z" if "." not in moment else "Z")


def must_equal(sheet, what, ours, theirs):
    """Sets or dictionaries; the first differences go to standard error."""
    if ours == theirs:
        sheet.equal(what, ours if isinstance(ours, int) else len(ours))
        return
    if isinstance(ours, int):
        ours, theirs = {ours}, {theirs}
    elif isinstance(ours, dict):
        ours, theirs = set(ours.items()), set(theirs.items())
    print(f"{what} differ\n  only ours: {sorted(ours - theirs, key=str)[:3]}"
          f"\n  only theirs: {sorted(theirs - ours, key=str)[:3]}", file=sys.stderr)
    sys.exit("the answers differ; nothing here can be compared")
