"""Imports what common programs import, so that it is in the image and takes no time.

A module of the image spares each program that imports it the time of the import, and costs each
run the time to put its memory back: 0.08 ms for a MiB. So what is here is imported by so many of
the corpus's programs (tests/corpus/python/count_imports.py) that it pays. What one of 180
programs imports pays from 15 ms of import for a MiB: email.message (23 ms, 0.6 MiB), html.parser
(17 ms, 0.3 MiB), xml.dom.minidom (10 ms, 0.1 MiB), tomllib (9 ms), unittest.mock (8 ms, 0.3 MiB),
tarfile (8 ms, 0.1 MiB), shelve (2 ms) do. Of what no program there imports, only what the rest
needs anyway is here; doctest (28 ms, 1.3 MiB) just does not pay, urllib.request (39 ms, 0.9 MiB)
has no network to work with. Without any of it the modules below would take up to 41 ms each
(zipfile), 26 (unittest), 20 (tempfile), 17 (statistics), 16 (typing), 14 (pathlib).
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
    """Imports them all."""
    for name in COMMON:
        importlib.import_module(name)
