d = {"b": 1, "a": 2}
print(d.get("x", 0), d.setdefault("c", 3), d.pop("b"), list(d.items()), d | {"z": 9}, dict.fromkeys("ab", 0), "a" in d)
d.update(a=10); print(d, sorted(d, key=d.get), max(d, key=d.get), {v: k for k, v in d.items()})
del d["a"]
try: d["nope"]
except KeyError as e: print("KeyError", e)
for k in list(d): d.pop(k)
print(d, not d)
