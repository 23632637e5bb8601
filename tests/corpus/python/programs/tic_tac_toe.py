def winner(b):
    for a, c, d in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]:
        if b[a] == b[c] == b[d] != " ": return b[a]
def minimax(b, p):
    w = winner(b)
    if w: return (1 if w == "X" else -1), None
    if " " not in b: return 0, None
    best = None
    for i in range(9):
        if b[i] == " ":
            b[i] = p; s, _ = minimax(b, "O" if p == "X" else "X"); b[i] = " "
            if best is None or (s > best[0] if p == "X" else s < best[0]): best = s, i
    return best
print(minimax(list("XO X  O  "), "X"))
