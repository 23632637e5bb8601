"""What CPython takes from OpenSSL or from the system, and can be had without; and what is otherwise
where pointers have 32 bits."""

import hashlib
import hmac
import os
import posix
import random


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """Password based key derivation function 2 (PKCS #5 v2.0) with HMAC as the pseudorandom
    function."""
    if not isinstance(hash_name, str):
        raise TypeError("hash_name must be a string")
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    keyed = hmac.new(bytes(password), None, hash_name)
    length = keyed.digest_size if dklen is None else dklen
    if length < 1:
        raise ValueError("key length must be greater than 0.")
    derived = b""
    block = 0
    while len(derived) < length:
        block += 1
        first = keyed.copy()
        first.update(bytes(salt) + block.to_bytes(4))
        last = first.digest()
        total = int.from_bytes(last)
        for _ in range(iterations - 1):
            turn = keyed.copy()
            turn.update(last)
            last = turn.digest()
            total ^= int.from_bytes(last)
        derived += total.to_bytes(keyed.digest_size)
    return derived[:length]


def getlogin():
    """Return the actual login name."""
    return "user"


_seed = random.Random.seed
_HASH_MODULUS = 2**61 - 1
_HASH_OF_INFINITY = 314159


def _wide_hash(number):
    """The hash of a float where hashes have 64 bits, as C takes it for a number without a sign."""
    if number in (float("inf"), float("-inf")):
        value = _HASH_OF_INFINITY
    else:
        above, below = abs(number).as_integer_ratio()
        value = above * pow(below, -1, _HASH_MODULUS) % _HASH_MODULUS
    value = -value if number < 0 else value
    return (-2 if value == -1 else value) % 2**64


def seed(self, a=None, version=2):
    if isinstance(a, float) and a == a:
        a = _wide_hash(a)
    _seed(self, a, version)


def install():
    """Puts the additions in place. Called once, before the image is taken."""
    if not hasattr(hashlib, "pbkdf2_hmac"):
        pbkdf2_hmac.__module__ = "hashlib"
        hashlib.pbkdf2_hmac = pbkdf2_hmac
    seed.__module__, seed.__qualname__, seed.__doc__ = "random", "Random.seed", _seed.__doc__
    random.Random.seed = seed
    random.seed = random._inst.seed
    getlogin.__module__ = "posix"
    os.getlogin = posix.getlogin = getlogin
