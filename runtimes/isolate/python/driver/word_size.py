"""What programs meet of the size of a pointer, as it is where that is 64 bits: many take the largest
index for a number that is larger than all of theirs, and compare with it."""

import _csv
import csv
import functools
import random
import sys
from compression._common import _streams
from types import SimpleNamespace

LARGEST = 2**63 - 1
# What C functions can take here.
_LARGEST_INDEX = sys.maxsize
_limit_fields = _csv.field_size_limit
_cache = functools.lru_cache
_seed = random.Random.seed
_HASH_MODULUS = 2**61 - 1
_HASH_OF_INFINITY = 314159


def _fitting(number):
    """An index; one that is too large only here becomes the largest."""
    wide = isinstance(number, int) and _LARGEST_INDEX < number <= LARGEST
    return _LARGEST_INDEX if wide else number


def field_size_limit(*limit):
    return _limit_fields(*map(_fitting, limit))


def lru_cache(maxsize=128, typed=False):
    return _cache(_fitting(maxsize), typed)


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
    """Puts everything in place. Called once, before the image is taken."""
    sys.maxsize = LARGEST
    # It reads as much as an index can count.
    _streams.sys = SimpleNamespace(maxsize=_LARGEST_INDEX)
    field_size_limit.__module__, field_size_limit.__doc__ = "_csv", _limit_fields.__doc__
    csv.field_size_limit = _csv.field_size_limit = field_size_limit
    lru_cache.__module__, lru_cache.__doc__ = "functools", _cache.__doc__
    functools.lru_cache = lru_cache
    seed.__module__, seed.__qualname__, seed.__doc__ = "random", "Random.seed", _seed.__doc__
    random.Random.seed = seed
    random.seed = random._inst.seed
