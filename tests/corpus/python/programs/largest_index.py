# sys.maxsize as programs use it: for "no limit", and for a number that is larger than all of theirs.
import bz2
import collections
import csv
import functools
import gzip
import io
import itertools
import lzma
import re
import sqlite3
import sys

most = sys.maxsize
print("a b c".split(" ", most), "a b".rsplit(None, most), b"a-b".split(b"-", most))
print("aaa".replace("a", "b", most), b"aaa".replace(b"a", b"b", most), bytearray(b"x").replace(b"x", b"y", most))
print(re.sub("a", "b", "aaa", count=most), re.split(",", "1,2", maxsplit=most), re.subn("x", "y", "xx", count=most))
print(re.compile("b").search("ab", 0, most), re.match("a{2,}", "aaa"))
print(list(itertools.islice("abc", most)), list(itertools.islice("abc", 1, most)))
print(list(itertools.islice(itertools.repeat(7, most), 2)), list(zip(range(most), "ab")))
print(list(collections.deque([1, 2], maxlen=most)), collections.deque([1, 2]).index(2, 0, most))
print(io.BytesIO(b"abc").read(most), io.StringIO("abc").read(most), io.BytesIO(b"a\nb").readline(most))
print(io.StringIO("a\nb\n").readlines(most), io.TextIOWrapper(io.BytesIO(b"xyz")).read(most))
print("abc"[:most], [1, 2, 3].index(3, 0, most), "abc".find("c", 0, most), "abc".count("b", 0, most))
print((1, 2).index(2, 0, most), "abc".startswith("a", 0, most), slice(most).indices(5), [0, 1][-most:])
print(len(range(most)) == most, range(most)[-1] == most - 1, list(range(most - 2, most)) == [most - 2, most - 1])
print(most > 10**9, -most - 1 < -10**9, min([5, 3], default=most), most & (most + 1))

rows = sqlite3.connect(":memory:").execute("select 1 union select 2")
print(rows.fetchmany(100))

lowest, highest = most, -most
for price in (7_500, 3_000, 5_000):
    lowest, highest = min(lowest, price), max(highest, price)
print(lowest, highest)

csv.field_size_limit(most)
row = next(csv.reader(io.StringIO("a," + "b" * 200_000)))
print(len(row[1]))


@functools.lru_cache(maxsize=most)
def square(n):
    return n * n


print(square(4), square(4), square.cache_info().hits, square.__wrapped__(3))

for module in (gzip, bz2, lzma):
    packed = module.compress(b"line\n" * 3000)
    with module.open(io.BytesIO(packed)) as file:
        print(module.__name__, len(file.read()), end=" ")
print()
