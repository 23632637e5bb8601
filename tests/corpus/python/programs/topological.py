from graphlib import TopologicalSorter, CycleError
ts = TopologicalSorter({"D": {"B", "C"}, "C": {"A"}, "B": {"A"}})
order = list(ts.static_order())
print(order[0], order[-1])
try: list(TopologicalSorter({"a": "b", "b": "a"}).static_order())
except CycleError as e: print(e.args[0])
