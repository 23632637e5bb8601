def depth(n):
    return depth(n + 1)
try:
    depth(0)
except RecursionError as e:
    print("RecursionError:", e)
