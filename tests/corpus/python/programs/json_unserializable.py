import json
try:
    json.dumps({"a": object})
except TypeError as e:
    print(e)
print(json.dumps({1: "a", None: "b", True: "c", 2.5: "d"}))
print(json.dumps(float("inf")), json.loads("NaN"))
