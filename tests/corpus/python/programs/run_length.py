from itertools import groupby
def enc(s): return "".join(f"{len(list(g))}{c}" for c, g in groupby(s))
def dec(s):
    n, out = "", ""
    for c in s:
        if c.isdigit(): n += c
        else: out += c * int(n); n = ""
    return out
s = "WWWWBBBWWC"; print(enc(s), dec(enc(s)) == s)
