"""Seconds and memory, of a process or of a piece of work in this one."""

import json
import os
import resource
import statistics
import subprocess
import sys
import time


class Spread:
    """Several runs of one task: seconds of wall time, of processor time, megabytes at the most."""

    def __init__(self, seconds, cpu=(), memory=None):
        self.runs = sorted(seconds)
        self.cpu = statistics.median(cpu) if cpu else None
        self.memory = memory

    @property
    def median(self):
        return statistics.median(self.runs)

    def at(self, share):
        """The run that `share` of all do not exceed."""
        return self.runs[min(len(self.runs) - 1, int(share * len(self.runs)))]


def timed(work):
    """Seconds of wall time and of processor time of `work` in this process."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def say(task, runs, **more):
    """One line of a peer's report."""
    print(json.dumps({"task": task, "seconds": [run[0] for run in runs],
                      "cpu": [run[1] for run in runs], **more}), flush=True)


def hear(command):
    """A peer's report: by task, what its JSON lines say."""
    finished = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False)
    if finished.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    lines = [json.loads(line) for line in finished.stdout.splitlines()]
    return {line["task"]: line for line in lines}


def spread(line):
    return Spread(line["seconds"], line["cpu"], line.get("memory"))


def run_once(command, output=None):
    """Seconds, processor seconds and peak megabytes of one process; ends the run if it fails."""
    start = time.perf_counter()
    sink = open(output, "wb") if output else subprocess.DEVNULL
    process = subprocess.Popen(
        [str(word) for word in command], stdout=sink, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if output:
        sink.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def repeated(runs, command, output=None, before=None):
    """A whole process several times; `before` makes room for each run and is not timed."""
    results = []
    for _ in range(runs):
        if before:
            before()
        results.append(run_once(command, output))
    return Spread([r[0] for r in results], [r[1] for r in results], max(r[2] for r in results))
