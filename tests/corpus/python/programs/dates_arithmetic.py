from datetime import date, datetime, timedelta, timezone
start = date(2024, 2, 27)
for i in range(4):
    d = start + timedelta(days=i)
    print(d.isoformat(), d.strftime("%a %d %b"), d.isocalendar().week)
a = datetime(2024, 3, 10, 14, 30, tzinfo=timezone.utc)
b = a.astimezone(timezone(timedelta(hours=-5)))
print(b, b.utcoffset(), (a - datetime(2023, 1, 1, tzinfo=timezone.utc)).days)
print(datetime.fromisoformat("2024-01-02T03:04:05.678901+02:00"))
print(datetime.strptime("31/12/1999 23:59", "%d/%m/%Y %H:%M"))
