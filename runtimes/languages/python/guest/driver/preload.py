"""Imports the modules that common programs import, so that the image holds them.

A module in the image saves its import time in each program that imports it, and costs every run
the time to restore its memory: 0.08 ms per MiB. The modules here are used by enough programs of
the corpus (tests/corpus/python/count_imports.py) to be worth that. For a module that one of 180
programs imports, the break-even is 15 ms of import time per MiB. These are above it:
email.message (23 ms, 0.6 MiB), html.parser (17 ms, 0.3 MiB), xml.dom.minidom (10 ms, 0.1 MiB),
tomllib (9 ms), unittest.mock (8 ms, 0.3 MiB), tarfile (8 ms, 0.1 MiB), shelve (2 ms). Modules
that no program of the corpus imports are here only if another one needs them. Left out: doctest
(28 ms, 1.3 MiB) is below break-even, and urllib.request (39 ms, 0.9 MiB) needs a network. Not
preloaded, these would take longest to import: zipfile 41 ms, unittest 26, tempfile 20,
statistics 17, typing 16, pathlib 14.
"""

import importlib

COMMON = (
    "abc argparse array ast asyncio base64 binascii bisect bz2 calendar cmath codecs "
    "collections collections.abc concurrent.futures configparser contextlib contextvars copy "
    "csv dataclasses datetime decimal difflib email.message enum errno fnmatch fractions "
    "functools gc getpass glob graphlib gzip hashlib heapq hmac html html.parser inspect io "
    "ipaddress itertools json keyword linecache locale logging lzma math mimetypes numbers "
    "operator os pathlib pickle platform pprint queue random re reprlib sched secrets shelve "
    "shlex shutil signal sqlite3 statistics string struct subprocess sys tarfile tempfile "
    "textwrap threading time timeit tomllib traceback types typing unicodedata unittest "
    "unittest.mock urllib.parse uuid warnings weakref xml.dom.minidom xml.etree.ElementTree "
    "zipfile zlib zoneinfo"
).split()


def load():
    """Imports all of these modules."""
    for name in COMMON:
        importlib.import_module(name)
