def to_roman(n):
    out = ""
    for v, s in [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        while n >= v: out += s; n -= v
    return out
def from_roman(s):
    m = dict(I=1, V=5, X=10, L=50, C=100, D=500, M=1000); v = [m[c] for c in s]
    return sum(-a if a < b else a for a, b in zip(v, v[1:] + [0]))
print(to_roman(1994), to_roman(3999), all(from_roman(to_roman(i)) == i for i in range(1, 2000)))
