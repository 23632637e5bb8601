"""Packs the library of the image. Runs in the engine itself, at build time.

Reads /build/settings.json, /build/python_stdlib.zip, the modules that this zip lacks from
/build/modules, and the wheels from /build/wheels. Writes the files of the guest's file system below
/tmp/library, and the list of packages to /tmp/packages.json.
"""

import email.parser
import io
import json
import pathlib
import sys
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash

BUILD = pathlib.Path("/build")
OUTPUT = pathlib.Path("/tmp/library")
FIXED_TIME = (2025, 1, 1, 0, 0, 0)
# The content of a native module's file: its code is part of the interpreter.
STAND_IN = b"linked into the interpreter\n"

# Lines at the end of modules of the standard library.
ADDED = {"ctypes/__init__.py": b"\nfrom . import _own_memory as _\ndel _\n"}


class WheelError(Exception):
    """A wheel that cannot be installed."""


def compiled(source, path):
    """A .pyc that Python never checks against its source; None if the source does not compile."""
    try:
        code = compile(source, path, "exec", dont_inherit=True)
    except SyntaxError:
        return None
    return _code_to_hash_pyc(code, source_hash(source), False)


def write(path, content):
    """Writes a file of the guest's file system."""
    target = OUTPUT / path.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def standard_library(source_zip, dropped):
    """Names and contents of the standard library's files, in order."""
    files = {
        name: source_zip.read(name) + ADDED.get(name, b"")
        for name in source_zip.namelist()
        if not name.startswith(dropped) and not name.endswith(("/", ".pyc", ".ini", ".typed"))
    }
    added = BUILD / "modules"
    paths = [path for path in added.rglob("*.py")] if added.is_dir() else []
    files.update((str(path.relative_to(added)), path.read_bytes()) for path in paths)
    return sorted(files.items())


def pack_standard_library(settings):
    """Writes one zip with the source of each module, for tracebacks, and its compiled form."""
    home = settings["standardLibrary"]
    dropped = tuple(settings["dropped"])
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(BUILD / "python_stdlib.zip") as source_zip,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as target,
    ):
        for name, content in standard_library(source_zip, dropped):
            target.writestr(zipfile.ZipInfo(name, FIXED_TIME), content, zipfile.ZIP_DEFLATED)
            if name.endswith(".py"):
                code = compiled(content, f"{home}/{name}")
                if code is not None:
                    info = zipfile.ZipInfo(f"{name}c", FIXED_TIME)
                    target.writestr(info, code, zipfile.ZIP_DEFLATED)
    write(home, buffer.getvalue())


def check_members(wheel, name, natives):
    """Refuses code for other systems, native modules that are not linked, and paths outside the wheel."""
    is_pure = name.endswith("-none-any.whl")
    for member in wheel.namelist():
        if member.endswith((".pyd", ".dylib", ".dll")):
            raise WheelError(f"{name} holds code for another system ({member})")
        if member.endswith(".so") and is_pure:
            raise WheelError(f"{name} holds native code ({member}), but is named as one without")
        if member.endswith(".so") and installed_path(member) not in (None, *natives):
            raise WheelError(f"{name} holds native code ({member}) that cannot be read")
        if member.startswith("/") or ".." in member.split("/"):
            raise WheelError(f"{name} holds a path that leaves it ({member})")


def installed_path(member):
    """The path of a wheel's file below site-packages; None if it is not installed."""
    top, _, rest = member.partition("/")
    if not top.endswith(".data"):
        return member
    scheme, _, inner = rest.partition("/")
    return inner if scheme in ("purelib", "platlib") else None


def unpack_wheel(path, folder, natives):
    """Unpacks a wheel; returns its name and version."""
    with zipfile.ZipFile(path) as wheel:
        check_members(wheel, path.name, natives)
        members = [name for name in wheel.namelist() if not name.endswith("/")]
        for member in sorted(members):
            place = installed_path(member)
            if place is None:
                continue
            content = STAND_IN if place.endswith(".so") else wheel.read(member)
            write(f"{folder}/{place}", content)
            # tests are imported rarely if ever
            if place.endswith(".py") and "/tests/" not in f"/{place}":
                parent, _, name = place.rpartition("/")
                code = compiled(content, f"{folder}/{place}")
                cache = f"{folder}/{parent}/__pycache__/{name[:-3]}.{sys.implementation.cache_tag}.pyc"
                if code is not None:
                    write(cache.replace("//", "/"), code)
        metadata = [name for name in members if name.endswith(".dist-info/METADATA")]
        if len(metadata) != 1:
            raise WheelError(f"{path.name} has no metadata")
        said = email.parser.BytesParser().parsebytes(wheel.read(metadata[0]))
        return f"{said['Name']} {said['Version']}"


def install_wheel(path, folder, natives):
    """As unpack_wheel, but reports a broken file as a WheelError that names the wheel."""
    try:
        return unpack_wheel(path, folder, natives)
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError) as error:
        raise WheelError(f"{path.name} cannot be unpacked: {error}") from error


def unpack_time_zones(path, folder):
    """Unpacks the time zones of the tzdata wheel to where zoneinfo looks first."""
    prefix = "tzdata/zoneinfo/"
    with zipfile.ZipFile(path) as wheel:
        for member in wheel.namelist():
            if member.startswith(prefix) and not member.endswith((".py", "/")):
                write(f"{folder}/{member.removeprefix(prefix)}", wheel.read(member))


def main():
    settings = json.loads((BUILD / "settings.json").read_text())
    wheels = BUILD / "wheels"
    paths = sorted(wheels.iterdir()) if wheels.is_dir() else []
    packages = [install_wheel(path, settings["packages"], settings["natives"]) for path in paths]
    unpack_time_zones(BUILD / "tzdata.whl", settings["timeZones"])
    pack_standard_library(settings)
    pathlib.Path("/tmp/packages.json").write_text(json.dumps(packages))


main()
