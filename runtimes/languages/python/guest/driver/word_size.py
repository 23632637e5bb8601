"""Gives programs the results that they get where a pointer has 64 bits.

`sys.maxsize` stays: programs pass it as "no limit" to functions that take an index of 32 bits, and
those refuse a larger number."""

import random

_seed = random.Random.seed
_HASH_MODULUS = 2**61 - 1
_HASH_OF_INFINITY = 314159


def _wide_hash(number):
    """The hash of a float on a machine with 64-bit hashes, as an unsigned number."""
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
    """Installs the replacements. Called once, before the image is taken."""
    seed.__module__, seed.__qualname__, seed.__doc__ = "random", "Random.seed", _seed.__doc__
    random.Random.seed = seed
    random.seed = random._inst.seed
