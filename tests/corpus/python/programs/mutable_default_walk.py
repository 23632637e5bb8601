def walk(tree, path=()):
    if isinstance(tree, dict):
        for k, v in tree.items(): yield from walk(v, path + (k,))
    elif isinstance(tree, list):
        for i, v in enumerate(tree): yield from walk(v, path + (i,))
    else: yield ".".join(map(str, path)), tree
for k, v in walk({"a": [1, {"b": 2}], "c": {"d": None}}): print(k, "=", v)
