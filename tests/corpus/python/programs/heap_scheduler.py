import sched, time
out = []; s = sched.scheduler(time.monotonic, time.sleep)
s.enter(0.02, 1, out.append, ("b",)); s.enter(0.01, 1, out.append, ("a",)); s.run(); print(out)
