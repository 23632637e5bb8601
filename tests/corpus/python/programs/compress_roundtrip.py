import gzip, bz2, lzma, zlib, io
d = b"abc" * 1000
for m in (gzip, bz2, lzma, zlib):
    c = m.compress(d); print(m.__name__, len(c) < 100, m.decompress(c) == d)
with gzip.open("f.gz", "wt") as f: f.write("line\n" * 3)
print(gzip.open("f.gz", "rt").readlines())
