"""What CPython takes from OpenSSL, which is not here, and can be had without it."""

import hashlib
import hmac


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


def install():
    """Puts the additions in place. Called once, before the image is taken."""
    if not hasattr(hashlib, "pbkdf2_hmac"):
        pbkdf2_hmac.__module__ = "hashlib"
        hashlib.pbkdf2_hmac = pbkdf2_hmac
