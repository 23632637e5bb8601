import json
data = {"name": "Ünï", "list": [1, 2.5, None, True], "nested": {"k": "v"}, "big": 2**70}
s = json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)
print(s); print(json.loads(s) == data)
class Enc(json.JSONEncoder):
    def default(self, o): return sorted(o) if isinstance(o, set) else super().default(o)
print(json.dumps({"s": {3, 1, 2}}, cls=Enc), json.dumps("é\u2028"), json.dumps([1, 2], separators=(",", ":")))
try: json.loads('{"a": 1,}')
except json.JSONDecodeError as e: print(e.lineno, e.colno)
print(json.loads('[1.0, 1e3, "\\u00e9"]', parse_float=str))
