import copy
a = [[1, 2], {"k": [3]}]
b, c = copy.copy(a), copy.deepcopy(a)
a[0].append(9); a[1]["k"].append(4)
print(b, c, a is b, a[0] is b[0], a == c)
x = [0] * 3; y = [[]] * 2; y[0].append(1); print(x, y)
