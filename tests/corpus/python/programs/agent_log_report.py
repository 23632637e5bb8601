"""Reads a log, groups what it says, and writes a report as CSV and JSON."""
import collections
import csv
import datetime as dt
import json
import pathlib
import re

LOG = """\
2024-05-01T10:00:01Z INFO  auth  user=ann action=login ms=12
2024-05-01T10:00:03Z ERROR db    user=ann action=query ms=950 error="timeout after 900ms"
2024-05-01T10:01:07Z WARN  cache user=bob action=get ms=3
garbage line
2024-05-01T11:30:00Z ERROR db    user=cid action=query ms=1200 error="deadlock"
2024-05-01T11:30:02Z INFO  auth  user=bob action=logout ms=7
"""
LINE = re.compile(r"(?P<at>\S+) (?P<level>[A-Z]+)\s+(?P<service>\w+)\s+(?P<rest>.*)")
FIELD = re.compile(r'(\w+)=("[^"]*"|\S+)')


def parse(text):
    for number, line in enumerate(text.splitlines(), 1):
        match = LINE.fullmatch(line)
        if match is None:
            print(f"line {number} skipped: {line!r}")
            continue
        fields = {key: value.strip('"') for key, value in FIELD.findall(match["rest"])}
        yield {
            "at": dt.datetime.fromisoformat(match["at"]),
            "level": match["level"],
            "service": match["service"],
            **fields,
            "ms": int(fields["ms"]),
        }


folder = pathlib.Path("report")
folder.mkdir(exist_ok=True)
(folder / "app.log").write_text(LOG)
entries = list(parse((folder / "app.log").read_text()))
levels = collections.Counter(entry["level"] for entry in entries)
slow = sorted((e for e in entries if e["ms"] > 100), key=lambda e: -e["ms"])
by_hour = collections.defaultdict(list)
for entry in entries:
    by_hour[entry["at"].replace(minute=0, second=0)].append(entry["ms"])

with open(folder / "hours.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["hour", "count", "mean_ms"])
    for hour, times in sorted(by_hour.items()):
        writer.writerow([hour.isoformat(), len(times), round(sum(times) / len(times), 1)])
(folder / "summary.json").write_text(
    json.dumps({"levels": levels, "slow": slow}, default=str, indent=1)
)
print((folder / "hours.csv").read_text())
print((folder / "summary.json").read_text())
print(sorted(path.name for path in folder.iterdir()), levels.most_common(1))
