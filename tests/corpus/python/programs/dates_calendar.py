import calendar
print(calendar.month(2024, 2))
print(calendar.isleap(2000), calendar.isleap(1900), calendar.monthrange(2023, 11))
cal = calendar.Calendar(firstweekday=6)
print([week for week in cal.monthdayscalendar(2024, 6)][0])
