"""Functions of `hashlib` that CPython takes from OpenSSL, written without it: `ripemd160` and `scrypt`."""

import hashlib
import struct

_MASK = 0xFFFFFFFF
_BLOCK_BYTES = 64
# Order of words and rotations of RIPEMD-160, for its two lines.
_ORDERS = (
    (
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11,
        8, 3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5,
        6, 2, 4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
    ),
    (
        5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1,
        2, 15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7,
        10, 14, 12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
    ),
)
_ROTATIONS = (
    (
        11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7,
        13, 12, 11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5,
        6, 8, 6, 5, 12, 9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6,
    ),
    (
        8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15,
        13, 11, 9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12,
        9, 12, 5, 15, 8, 8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11,
    ),
)
_CONSTANTS = (
    (0, 0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xA953FD4E),
    (0x50A28BE6, 0x5C4DD124, 0x6D703EF3, 0x7A6D76E9, 0),
)
_MIXES = (
    lambda x, y, z: x ^ y ^ z,
    lambda x, y, z: (x & y) | (~x & z),
    lambda x, y, z: (x | ~y) ^ z,
    lambda x, y, z: (x & z) | (y & ~z),
    lambda x, y, z: x ^ (y | ~z),
)


def _line(state, words, line):
    a, b, c, d, e = state
    for step in range(80):
        turn = step // 16
        mixed = _MIXES[turn if line == 0 else 4 - turn](b, c, d)
        total = (a + mixed + words[_ORDERS[line][step]] + _CONSTANTS[line][turn]) & _MASK
        count = _ROTATIONS[line][step]
        total = ((total << count | total >> 32 - count) + e) & _MASK
        a, b, c, d, e = e, total, b, (c << 10 | c >> 22) & _MASK, d
    return a, b, c, d, e


def _compressed(state, block):
    words = struct.unpack("<16I", block)
    left, right = _line(state, words, 0), _line(state, words, 1)
    return tuple(
        (state[(place + 1) % 5] + left[(place + 2) % 5] + right[(place + 3) % 5]) & _MASK for place in range(5)
    )


class ripemd160:
    """The hash RIPEMD-160."""

    name, digest_size, block_size = "ripemd160", 20, _BLOCK_BYTES

    def __init__(self, data=b"", *, usedforsecurity=True):
        self._state = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)
        self._rest = b""
        self._length = 0
        self.update(data)

    def update(self, data, /):
        """Goes on by some bytes."""
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        data = bytes(memoryview(data))
        self._length += len(data)
        data = self._rest + data
        whole = len(data) - len(data) % _BLOCK_BYTES
        for at in range(0, whole, _BLOCK_BYTES):
            self._state = _compressed(self._state, data[at : at + _BLOCK_BYTES])
        self._rest = data[whole:]

    def digest(self):
        """The hash of the bytes so far."""
        padding = b"\x80" + bytes((55 - self._length) % _BLOCK_BYTES)
        end = self._rest + padding + struct.pack("<Q", 8 * self._length & 2**64 - 1)
        state = self._state
        for at in range(0, len(end), _BLOCK_BYTES):
            state = _compressed(state, end[at : at + _BLOCK_BYTES])
        return struct.pack("<5I", *state)

    def hexdigest(self):
        """The hash as hexadecimal digits."""
        return self.digest().hex()

    def copy(self):
        """Another object in the same state."""
        other = type(self)()
        other._state, other._rest, other._length = self._state, self._rest, self._length
        return other

    def __repr__(self):
        return f"<ripemd160 _hashlib.HASH object @ {id(self):#x}>"


def _salsa(words):
    """Salsa20/8, with a name for each word: lists would take three times as long."""
    x0, x1, x2, x3, x4, x5, x6, x7, \
        x8, x9, x10, x11, x12, x13, x14, x15 = words
    for _ in range(4):
        t = x0 + x12 & _MASK
        x4 ^= (t << 7 | t >> 25) & _MASK
        t = x4 + x0 & _MASK
        x8 ^= (t << 9 | t >> 23) & _MASK
        t = x8 + x4 & _MASK
        x12 ^= (t << 13 | t >> 19) & _MASK
        t = x12 + x8 & _MASK
        x0 ^= (t << 18 | t >> 14) & _MASK
        t = x5 + x1 & _MASK
        x9 ^= (t << 7 | t >> 25) & _MASK
        t = x9 + x5 & _MASK
        x13 ^= (t << 9 | t >> 23) & _MASK
        t = x13 + x9 & _MASK
        x1 ^= (t << 13 | t >> 19) & _MASK
        t = x1 + x13 & _MASK
        x5 ^= (t << 18 | t >> 14) & _MASK
        t = x10 + x6 & _MASK
        x14 ^= (t << 7 | t >> 25) & _MASK
        t = x14 + x10 & _MASK
        x2 ^= (t << 9 | t >> 23) & _MASK
        t = x2 + x14 & _MASK
        x6 ^= (t << 13 | t >> 19) & _MASK
        t = x6 + x2 & _MASK
        x10 ^= (t << 18 | t >> 14) & _MASK
        t = x15 + x11 & _MASK
        x3 ^= (t << 7 | t >> 25) & _MASK
        t = x3 + x15 & _MASK
        x7 ^= (t << 9 | t >> 23) & _MASK
        t = x7 + x3 & _MASK
        x11 ^= (t << 13 | t >> 19) & _MASK
        t = x11 + x7 & _MASK
        x15 ^= (t << 18 | t >> 14) & _MASK
        t = x0 + x3 & _MASK
        x1 ^= (t << 7 | t >> 25) & _MASK
        t = x1 + x0 & _MASK
        x2 ^= (t << 9 | t >> 23) & _MASK
        t = x2 + x1 & _MASK
        x3 ^= (t << 13 | t >> 19) & _MASK
        t = x3 + x2 & _MASK
        x0 ^= (t << 18 | t >> 14) & _MASK
        t = x5 + x4 & _MASK
        x6 ^= (t << 7 | t >> 25) & _MASK
        t = x6 + x5 & _MASK
        x7 ^= (t << 9 | t >> 23) & _MASK
        t = x7 + x6 & _MASK
        x4 ^= (t << 13 | t >> 19) & _MASK
        t = x4 + x7 & _MASK
        x5 ^= (t << 18 | t >> 14) & _MASK
        t = x10 + x9 & _MASK
        x11 ^= (t << 7 | t >> 25) & _MASK
        t = x11 + x10 & _MASK
        x8 ^= (t << 9 | t >> 23) & _MASK
        t = x8 + x11 & _MASK
        x9 ^= (t << 13 | t >> 19) & _MASK
        t = x9 + x8 & _MASK
        x10 ^= (t << 18 | t >> 14) & _MASK
        t = x15 + x14 & _MASK
        x12 ^= (t << 7 | t >> 25) & _MASK
        t = x12 + x15 & _MASK
        x13 ^= (t << 9 | t >> 23) & _MASK
        t = x13 + x12 & _MASK
        x14 ^= (t << 13 | t >> 19) & _MASK
        t = x14 + x13 & _MASK
        x15 ^= (t << 18 | t >> 14) & _MASK
    mixed = (x0, x1, x2, x3, x4, x5, x6, x7,
             x8, x9, x10, x11, x12, x13, x14, x15)
    return [one + other & _MASK for one, other in zip(words, mixed)]


def _mixed(number, size):
    """scryptBlockMix of a little-endian number of so many bytes."""
    blocks = struct.unpack(f"<{size // 4}I", number.to_bytes(size, "little"))
    last = blocks[-16:]
    even, odd = [], []
    for index in range(size // _BLOCK_BYTES):
        last = _salsa([a ^ b for a, b in zip(last, blocks[16 * index : 16 * index + 16])])
        (odd if index % 2 else even).extend(last)
    return int.from_bytes(struct.pack(f"<{size // 4}I", *even, *odd), "little")


def _stirred(block, n):
    """scryptROMix."""
    size = len(block)
    number = int.from_bytes(block, "little")
    table = []
    for _ in range(n):
        table.append(number)
        number = _mixed(number, size)
    at = 8 * (size - _BLOCK_BYTES)
    for _ in range(n):
        number = _mixed(number ^ table[(number >> at) & n - 1], size)
    return number.to_bytes(size, "little")


def scrypt(password, *, salt, n, r, p, maxmem=0, dklen=64):
    """Derives a key from a password as RFC 7914 says (scrypt)."""
    if n < 2 or n & n - 1:
        raise ValueError("n must be a power of 2")
    if r < 1 or p < 1 or r * p >= 2**30 or dklen < 1:
        raise ValueError("Invalid parameter combination for n, r, p, maxmem.")
    if 128 * r * (n + p + 2) > (maxmem or 32 * 1024 * 1024):
        raise ValueError("Invalid parameter combination for n, r, p, maxmem.")
    size = 128 * r
    blocks = hashlib.pbkdf2_hmac("sha256", password, salt, 1, size * p)
    stirred = b"".join(_stirred(blocks[at : at + size], n) for at in range(0, size * p, size))
    return hashlib.pbkdf2_hmac("sha256", password, stirred, 1, dklen)


def install():
    """Puts the functions in place. Called once, before the image is taken."""
    if hasattr(hashlib, "scrypt"):
        return
    scrypt.__module__ = "hashlib"
    ripemd160.__module__ = "_hashlib"
    hashlib.scrypt = scrypt
    hashlib.__dict__["__builtin_constructor_cache"]["ripemd160"] = ripemd160
    hashlib.algorithms_available.add("ripemd160")
