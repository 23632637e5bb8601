cells = {(1, 0), (1, 1), (1, 2)}
def step(cells):
    from collections import Counter
    n = Counter((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
    return {c for c, k in n.items() if k == 3 or (k == 2 and c in cells)}
for _ in range(3):
    print("\n".join("".join("#" if (x, y) in cells else "." for x in range(3)) for y in range(3)), end="\n\n")
    cells = step(cells)
