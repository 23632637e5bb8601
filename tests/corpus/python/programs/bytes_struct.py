import struct, binascii, array
p = struct.pack(">IhB3s", 1024, -2, 255, b"abc"); print(p.hex(), struct.unpack(">IhB3s", p), struct.calcsize("<dq"))
ba = bytearray(b"hello"); ba[0] = 72; ba += b"!"; print(ba, ba.find(b"l"), bytes([1, 2]).hex(":"), bytes.fromhex("dead"))
mv = memoryview(ba)[1:3]; mv[0] = 69; print(ba, mv.tolist()); print(array.array("i", [1, 2, 3]).tobytes()[:4], binascii.crc32(b"x"))
