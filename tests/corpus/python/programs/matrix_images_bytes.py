"""Pictures as bytes: PPM, BMP headers, run lengths, checksums."""
import array
import binascii
import io
import struct
import zlib

WIDTH, HEIGHT = 16, 8
pixels = bytearray()
for y in range(HEIGHT):
    for x in range(WIDTH):
        pixels += bytes((x * 16 & 255, y * 32 & 255, (x ^ y) * 16 & 255))
header = b"P6 %d %d 255\n" % (WIDTH, HEIGHT)
open("picture.ppm", "wb").write(header + pixels)
with open("picture.ppm", "rb") as file:
    magic, width, height, depth = file.readline().split()
    body = file.read()
print(magic, int(width) * int(height) * 3 == len(body), zlib.crc32(body), zlib.adler32(body))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))


raw = b"".join(b"\0" + body[y * WIDTH * 3:(y + 1) * WIDTH * 3] for y in range(HEIGHT))
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")
stream = io.BytesIO(png)
stream.seek(8)
while head := stream.read(8):
    size, kind = struct.unpack(">I4s", head)
    data = stream.read(size)
    print(kind, len(zlib.decompress(data)) if kind == b"IDAT" else size, stream.read(4).hex())
view = memoryview(pixels).cast("B", shape=[HEIGHT, WIDTH, 3])
print(view[3, 5, 1], view.tolist()[7][15], view.nbytes, view.shape)
grays = array.array("H", ((r * 299 + g * 587 + b * 114) // 1000 for r, g, b in zip(*[iter(pixels)] * 3)))
print(grays[:6], grays.itemsize, max(grays), sum(grays))
grays.byteswap()
print(grays[1], grays.tobytes()[:4])
levels = " .:-=+*#%@"
for y in range(0, HEIGHT, 2):
    row = struct.unpack_from(f"{WIDTH}H", array.array("H", grays).tobytes(), y * WIDTH * 2)
    print("".join(levels[(value >> 8) * 10 // 256] for value in row))
print(struct.calcsize("<bhiq"), struct.pack("<bhiq", -1, -2, -3, -4).hex(" ", 2))
struct.unpack("<I", b"\1\2\3")
