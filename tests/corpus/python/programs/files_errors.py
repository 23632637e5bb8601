import os
for f in (lambda: open("/nonexistent/dir/file", "w"), lambda: os.mkdir("."), lambda: os.listdir("no"), lambda: open(".", "w"), lambda: os.remove("gone")):
    try: f()
    except OSError as e: print(type(e).__name__, e.strerror)
try: open("x.txt", "q")
except ValueError as e: print(e)
f = open("y.txt", "w"); f.close()
try: f.write("x")
except ValueError as e: print(e)
open("latin.txt", "wb").write(b"\xe9")
try: open("latin.txt", encoding="utf-8").read()
except UnicodeDecodeError as e: print(e)
print(open("latin.txt", encoding="latin-1").read())
