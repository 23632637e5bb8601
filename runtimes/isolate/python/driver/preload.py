"""Imports what common programs import, so that it is in the image and takes no time."""

import importlib

COMMON = (
    "abc argparse array ast asyncio base64 binascii bisect calendar cmath codecs collections "
    "collections.abc concurrent.futures configparser contextlib contextvars copy csv "
    "dataclasses datetime decimal difflib enum errno fnmatch fractions functools gc getpass "
    "glob graphlib gzip hashlib heapq hmac html inspect io ipaddress itertools json "
    "keyword linecache locale logging math mimetypes numbers operator os pathlib pickle "
    "platform pprint queue random re reprlib secrets shlex shutil signal sqlite3 statistics "
    "string struct subprocess sys tempfile textwrap threading time timeit traceback types "
    "typing unicodedata urllib.parse uuid warnings weakref xml.etree.ElementTree zipfile zlib "
    "zoneinfo"
).split()


def load():
    """Imports them all."""
    for name in COMMON:
        importlib.import_module(name)
