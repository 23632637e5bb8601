print(bin(10), oct(64), hex(255), int("ff", 16), int("0b101", 0), 1_000_000, 0xFF, 7 // -2, 7 % -2, divmod(-7, 2), -7 ** 2, 2 ** -1, round(2.5), round(3.5), round(-1234.567, -2))
print((255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"), (10).bit_length(), (0b1011).bit_count(), ~5, 5 ^ 3, 1 << 10, 0.1.hex(), float.fromhex("0x1p-2"), (3.75).as_integer_ratio())
print(1e16, 1e15, 123456789012345680.0, 1e-5, 0.0001, 5e-324, 1.7976931348623157e308, float("1_000.5"), 3.0 == 3, hash(1.0) == hash(1), True + True)
