"""Dates of a schedule: recurrences, weeks, zones, durations."""
import calendar
import datetime as dt
import sched
import time
from zoneinfo import ZoneInfo

start = dt.datetime(2024, 3, 29, 9, 30, tzinfo=ZoneInfo("Europe/Berlin"))
for days in range(0, 5):
    moment = start + dt.timedelta(days=days)
    there = moment.astimezone(ZoneInfo("America/New_York"))
    print(moment.isoformat(), there.strftime("%a %d %b %H:%M %Z"), moment.utcoffset(), moment.dst())
gap = dt.datetime(2024, 3, 31, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
print(gap.astimezone(dt.timezone.utc), gap.fold, gap.replace(fold=1).utcoffset())
print([dt.date(2024, month, calendar.monthrange(2024, month)[1]).isoformat() for month in (2, 4, 12)])
print(dt.date(2024, 12, 30).isocalendar(), dt.date.fromisocalendar(2025, 1, 1), dt.date(2024, 2, 29).toordinal())
print(calendar.TextCalendar(6).formatmonth(2024, 2))
fridays = [d for d in calendar.Calendar().itermonthdates(2024, 9) if d.weekday() == 4 and d.day == 13]
print(fridays, calendar.day_name[0], list(calendar.month_abbr)[1:4], calendar.leapdays(1999, 2025))
print(dt.timedelta(days=-1, hours=5), abs(dt.timedelta(hours=-30)), dt.timedelta(weeks=1) / dt.timedelta(hours=7))
print(dt.datetime.strptime("29 Feb 2024 11:05 PM", "%d %b %Y %I:%M %p"), dt.time(7, 5).replace(minute=30))
print(dt.datetime.min, dt.datetime.max.isoformat(), dt.datetime(2024, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=45))))
print(f"{start:%Y-%m-%d %H:%M}", format(start.date(), "%j %U"), start.time(), start.timetz())
plan = sched.scheduler(time.monotonic, time.sleep)
done = []
began = time.monotonic()
for delay, priority, name in ((2, 1, "late"), (1, 2, "second"), (1, 1, "first")):
    plan.enter(delay, priority, done.append, (name,))
event = plan.enter(1.5, 1, done.append, ("never",))
plan.cancel(event)
plan.run()
print(done, 2 <= time.monotonic() - began < 3)
print(start - dt.datetime(2024, 1, 1))
