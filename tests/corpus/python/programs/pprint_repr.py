from pprint import pprint, pformat
pprint({"name": "x" * 30, "values": list(range(20)), "nested": {"b": {"c": [1, 2, {"d": None}]}, "a": 1}}, width=60)
print(pformat([[]] * 3), repr("it's"), repr('a"b'), repr("\n\t\x00é\u200b"), ascii("é"), [1.0, 1e100], (1,), {}, set(), b"\x00a'")
import reprlib; print(reprlib.repr(list(range(100))))
