import json, os
def save(path, data):
    with open(path, "w") as f: json.dump(data, f)
save("state.json", {"items": list(range(20))}); save("state.json", {"items": []})
print(open("state.json").read(), os.path.getsize("state.json"))
with open("state.json", "ab") as f: print(f.write(b"\n"), f.tell())
try: open("state.json", "x")
except FileExistsError as e: print(type(e).__name__)
fd = os.open("raw.bin", os.O_RDWR | os.O_CREAT | os.O_TRUNC); os.write(fd, b"0123456789"); os.lseek(fd, 4, os.SEEK_SET); os.write(fd, b"xy"); os.lseek(fd, 0, 0); print(os.read(fd, 20)); os.close(fd)
os.replace("raw.bin", "state.json"); print(os.path.exists("raw.bin"), open("state.json").read())
