"""The table: lines of measurements, verdicts beside what was to be reached, notes at the foot."""

WIDTHS = (40, 10, 19, 9, 7, 10)


class Sheet:
    def __init__(self):
        self.notes = []
        self.missed = 0
        self.rows = []

    def title(self, text):
        print(f"\n{text}\n{'=' * len(text)}")

    def section(self, text):
        head = ("", "median s", "min - max", "cpu s", "MB", "M ev/s")
        print(f"\n{text:<{WIDTHS[0]}}" + "".join(f"{h:>{w}}" for h, w in zip(head[1:], WIDTHS[1:])))

    def line(self, name, spread, events=None, note=""):
        """One measurement: seconds, processor seconds, peak megabytes, million events a second."""
        s = spread
        cells = (
            f"{s.median:.4f}" if s.median < 1 else f"{s.median:.3f}",
            f"{s.runs[0]:.4f} - {s.runs[-1]:.4f}" if s.median < 1
            else f"{s.runs[0]:.3f} - {s.runs[-1]:.3f}",
            f"{s.cpu:.3f}" if s.cpu is not None else "",
            f"{s.memory:.0f}" if s.memory else "",
            f"{events / s.median / 1e6:.2f}" if events else "")
        print(f"  {name:<{WIDTHS[0] - 2}}"
              + "".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS[1:]))
              + (f"  {note}" if note else ""), flush=True)
        self.rows.append({"name": name, "seconds": s.runs, "cpu": s.cpu, "memory": s.memory})

    def value(self, name, text):
        print(f"  {name:<{WIDTHS[0] - 2}}{text:>10}", flush=True)

    def rate(self, name, spread, count, unit="GB/s", scale=1e9):
        """One measurement as so much a second."""
        print(f"  {name:<{WIDTHS[0] - 2}}{count / spread.median / scale:>10.2f} {unit}"
              f"  ({count / spread.runs[-1] / scale:.2f} - {count / spread.runs[0] / scale:.2f})",
              flush=True)

    def reach(self, what, value, bound, at_least=False):
        """Whether `value` is within `bound`; both in the unit that `what` names."""
        met = value >= bound if at_least else value <= bound
        factor = bound / value if at_least else value / bound
        verdict = "met" if met else f"NOT MET, {factor:.1f} x away"
        self.missed += not met
        sign = ">=" if at_least else "<="
        print(f"  -> {what}: {value:.3g}, to reach {sign} {bound:.3g}: {verdict}", flush=True)

    def equal(self, what, count):
        print(f"  == {what}: {count} equal", flush=True)

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def foot(self):
        print()
        for note in self.notes:
            print(f"note: {note}")
