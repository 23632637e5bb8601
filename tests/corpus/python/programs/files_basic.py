with open("notes.txt", "w") as f:
    f.write("first\n"); f.writelines(["second\n", "third\n"]); print(f.tell())
with open("notes.txt", "a") as f: print("fourth", file=f)
with open("notes.txt") as f:
    print(f.readline().strip(), [l.rstrip() for l in f])
    f.seek(0); print(f.read(5), len(f.read()))
with open("b.bin", "wb+") as f: f.write(bytes(range(10))); f.seek(-3, 2); print(f.read())
with open("notes.txt", "r+") as f: f.write("FIRST"); f.truncate(8)
print(open("notes.txt").read())
try: open("missing.txt")
except FileNotFoundError as e: print(type(e).__name__, e.filename, e.strerror)
