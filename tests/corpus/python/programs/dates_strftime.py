# Dates as people like to read them: without leading zeros, in capitals, padded by hand.
import logging
import time
from datetime import date, datetime, timedelta

moment = datetime(2024, 2, 9, 3, 5, 9, 123456)
evening = datetime(1999, 12, 31, 23, 59, 1)

for pattern in (
    "%-d %B %Y", "%-m/%-d/%y", "%-I:%M %p", "%A, %e %b", "%d.%m.%Y", "%Y%m%dT%H%M%S",
    "%k:%M|%l:%M %P", "%-H h %-M min", "%^a %^B %#p", "%j/%-j", "%_d|%_H|%_m", "%5d|%03d|%10Y|%-5d|%_5m",
    "%12A|%-12b|%010B", "%G-W%V-%u", "100%% on %-d", "%%k %%%k", "100%", "%Q %v %+ %3f %E", "é %k ü %-d",
    "%s|%C|%D|%F|%T|%R|%r", "%w %u %U %W", "%-y %-C",
):
    print(f"{pattern!r:<34}", moment.strftime(pattern), "|", evening.strftime(pattern))

print(f"{moment:%-d %b}, {evening:%-I%P}, {date(2030, 1, 5):%A the %-dth}")
print(time.strftime("%-d.%-m.%y %k", moment.timetuple()), time.strftime("%f %N", moment.timetuple()))
print(" ".join((moment + timedelta(hours=5 * n)).strftime("%l%P").strip() for n in range(6)))

record = logging.makeLogRecord({"created": 0, "msg": "begun", "levelname": "INFO"})
formatter = logging.Formatter("%(asctime)s %(message)s", "%-d %b %Y %k:%M")
formatter.converter = time.gmtime
print(formatter.format(record))

for wrong in ((5,), ("%k", (1, 2)), ("%k", (2024, 13, 1, 0, 0, 0, 0, 0, 0)), ("%d", None, None)):
    try:
        print(time.strftime(*wrong))
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
