import time
t = time.perf_counter(); time.sleep(0.05); e = time.perf_counter() - t
print(0.05 <= e < 1, time.strftime("%Y-%m-%d", time.gmtime(86400 * 365)), time.gmtime(0).tm_year, len(time.ctime()))
m = time.monotonic(); print(time.monotonic() >= m, time.struct_time((2024, 1, 2, 3, 4, 5, 1, 2, 0)).tm_mon, time.strptime("2 Jan 2024", "%d %b %Y").tm_yday)
