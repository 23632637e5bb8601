def lev(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1): cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]
print(lev("kitten", "sitting"), lev("flaw", "lawn"), lev("", "abc"))
import difflib
print(difflib.get_close_matches("appel", ["ape", "apple", "peach"]), round(difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), 3))
print("".join(difflib.unified_diff(["a\n", "b\n"], ["a\n", "c\n"], "x", "y")))
