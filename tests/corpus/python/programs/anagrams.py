from collections import defaultdict
groups = defaultdict(list)
for w in ["listen", "silent", "enlist", "google", "elgoog", "abc"]: groups["".join(sorted(w))].append(w)
print([g for g in groups.values() if len(g) > 1])
