import io, sys
s = io.StringIO("a\nb\nc"); print(s.readlines(), s.getvalue().count("\n"))
b = io.BytesIO(); w = io.TextIOWrapper(b, encoding="utf-16-le", write_through=True); w.write("hi"); print(b.getvalue())
print("to err", file=sys.stderr); sys.stdout.write("no newline"); print(); print("a", "b", sep="-", end="!\n", flush=True)
r = io.BufferedReader(io.BytesIO(b"0123456789")); print(r.peek(3)[:3], r.read(4), r.read1(3))
