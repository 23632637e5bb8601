"""Runs tests with pytest and writes each outcome to standard output as a line of JSON.

The same program runs in Belljar's Python and in the published engine. /workspace/order.json says what
to run: `files` with the tests, `done` with ids to leave out or `only` with ids to run, further
`options` of pytest, and a package that is `extended` by a folder of the workspace.
"""

import importlib
import json
import os
import sys

LONGEST_REASON = 600


class Teller:
    """A plugin that writes what happens."""

    def __init__(self, order, out):
        self.done, self.only, self.out = set(order.get("done", ())), order.get("only"), out
        self.worst, self.reason = "passed", ""

    def tell(self, **line):
        # A line of its own, whatever pytest has written before.
        os.write(self.out, f"\n{json.dumps(line)}\n".encode())

    def pytest_collection_modifyitems(self, items):
        if self.only is not None:
            only = set(self.only)
            items[:] = [item for item in items if item.nodeid in only]
        items[:] = [item for item in items if item.nodeid not in self.done]

    def pytest_collectreport(self, report):
        if report.failed:
            self.tell(test=report.nodeid, outcome="error", reason=_reason(report))
        elif report.skipped:
            self.tell(test=report.nodeid, outcome="skipped", reason=_reason(report))

    def pytest_runtest_logstart(self, nodeid):
        self.worst, self.reason = "passed", ""
        self.tell(started=nodeid)

    def pytest_runtest_logreport(self, report):
        if report.passed:
            return
        if report.failed:
            outcome = "failed" if report.when == "call" else "error"
        else:
            outcome = "skipped"
        if self.worst == "passed" or outcome == "error":
            self.worst, self.reason = outcome, _reason(report)

    def pytest_runtest_logfinish(self, nodeid):
        self.tell(test=nodeid, outcome=self.worst, reason=self.reason)


def _reason(report):
    if hasattr(report, "wasxfail"):
        return "expected to fail"
    long = report.longrepr
    if isinstance(long, tuple):
        return str(long[2])[:LONGEST_REASON]
    crash = getattr(long, "reprcrash", None)
    return str(long)[-LONGEST_REASON:] if crash is None else crash.message[:LONGEST_REASON]


def main():
    with open("/workspace/order.json", encoding="utf-8") as file:
        order = json.load(file)
    sys.dont_write_bytecode = True
    # Tests may put something else in the place of standard output.
    out = os.dup(1)
    import pytest

    extended = order.get("extended")
    if extended is not None:
        importlib.import_module(extended).__path__.append(f"/workspace/{extended}")
    teller = Teller(order, out)
    options = ["-q", "--capture=sys", "-p", "no:cacheprovider", "-p", "no:faulthandler"]
    options += ["--continue-on-collection-errors", *order["options"]]
    code = pytest.main([*options, *order["files"]], plugins=[teller])
    teller.tell(finished=int(code))


main()
