import re
from collections import Counter
log = """127.0.0.1 - - [10/Oct/2023:13:55:36] "GET /index.html HTTP/1.1" 200 2326
10.0.0.5 - - [10/Oct/2023:13:55:40] "POST /login HTTP/1.1" 302 0
127.0.0.1 - - [10/Oct/2023:13:56:01] "GET /missing HTTP/1.1" 404 153
"""
rx = re.compile(r'(?P<ip>[\d.]+).*?\[(?P<time>[^\]]+)\] "(?P<method>\w+) (?P<path>\S+).*?" (?P<status>\d+) (?P<size>\d+)')
hits = [m.groupdict() for m in rx.finditer(log)]
print(Counter(h["status"] for h in hits))
print(sum(int(h["size"]) for h in hits), [h["path"] for h in hits])
