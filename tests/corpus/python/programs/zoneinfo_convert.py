from datetime import datetime
from zoneinfo import ZoneInfo
meeting = datetime(2024, 11, 3, 9, 0, tzinfo=ZoneInfo("America/New_York"))
for zone in ("Europe/London", "Asia/Tokyo", "Australia/Sydney", "Asia/Kolkata", "UTC"):
    local = meeting.astimezone(ZoneInfo(zone))
    print(f"{zone:<20}{local:%Y-%m-%d %H:%M %Z %z}")
fold = datetime(2024, 11, 3, 1, 30, tzinfo=ZoneInfo("America/New_York"))
print(fold.utcoffset(), fold.replace(fold=1).utcoffset())
