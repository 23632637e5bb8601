result = [
    x / y
    for x, y in [(1, 2), (3, 0)]
]
