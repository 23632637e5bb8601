import errno
import os
import shutil
import tempfile
import pathlib

os.mkdir("folder")
os.mkdir("full")
open("full/inner.txt", "w").close()
with open("file.txt", "w") as file:
    file.write("text")


def closed_descriptor():
    descriptor = os.open("file.txt", os.O_RDONLY)
    os.close(descriptor)
    os.close(descriptor)


def write_to_reader():
    descriptor = os.open("file.txt", os.O_RDONLY)
    try:
        os.write(descriptor, b"x")
    finally:
        os.close(descriptor)


def negative_seek():
    with open("file.txt", "rb", buffering=0) as raw:
        raw.seek(-5)


def truncate_reader():
    descriptor = os.open("file.txt", os.O_RDONLY)
    try:
        os.ftruncate(descriptor, 1)
    finally:
        os.close(descriptor)


OPERATIONS = {
    "open missing": lambda: open("missing.txt"),
    "open below missing": lambda: open("missing/file.txt", "w"),
    "open below a file": lambda: open("file.txt/below"),
    "open a folder": lambda: open("folder"),
    "write a folder": lambda: open("folder", "w"),
    "open exclusively": lambda: open("file.txt", "x"),
    "open a long name": lambda: open("n" * 300),
    "open an empty name": lambda: open(""),
    "open a bad descriptor": lambda: open(987),
    "mkdir existing": lambda: os.mkdir("folder"),
    "mkdir over a file": lambda: os.mkdir("file.txt"),
    "mkdir below missing": lambda: os.mkdir("a/b/c"),
    "makedirs existing": lambda: os.makedirs("folder"),
    "makedirs over a file": lambda: os.makedirs("file.txt", exist_ok=True),
    "rmdir missing": lambda: os.rmdir("missing"),
    "rmdir full": lambda: os.rmdir("full"),
    "rmdir a file": lambda: os.rmdir("file.txt"),
    "remove missing": lambda: os.remove("missing"),
    "remove a folder": lambda: os.remove("folder"),
    "rename missing": lambda: os.rename("missing", "other"),
    "rename a file over a folder": lambda: os.rename("file.txt", "folder"),
    "rename a folder over a file": lambda: os.rename("folder", "file.txt"),
    "rename a folder over a full one": lambda: os.rename("folder", "full"),
    "rename into itself": lambda: os.rename("folder", "folder/inside"),
    "listdir missing": lambda: os.listdir("missing"),
    "listdir a file": lambda: os.listdir("file.txt"),
    "scandir missing": lambda: os.scandir("missing"),
    "chdir missing": lambda: os.chdir("missing"),
    "chdir a file": lambda: os.chdir("file.txt"),
    "stat missing": lambda: os.stat("missing"),
    "size of missing": lambda: os.path.getsize("missing"),
    "readlink of a file": lambda: os.readlink("file.txt"),
    "truncate missing": lambda: os.truncate("missing", 1),
    "truncate a folder": lambda: os.truncate("folder", 1),
    "truncate below zero": lambda: os.truncate("file.txt", -1),
    "chmod missing": lambda: os.chmod("missing", 0o644),
    "access time of bytes": lambda: os.stat(b"missing"),
    "close twice": closed_descriptor,
    "read bad": lambda: os.read(987, 1),
    "write bad": lambda: os.write(987, b"x"),
    "seek bad": lambda: os.lseek(987, 0, 0),
    "fstat bad": lambda: os.fstat(987),
    "dup bad": lambda: os.dup(987),
    "write to a reader": write_to_reader,
    "seek below zero": negative_seek,
    "truncate a reader": truncate_reader,
    "read_text missing": lambda: pathlib.Path("missing").read_text(),
    "unlink missing": lambda: pathlib.Path("missing").unlink(),
    "mkdir by pathlib": lambda: pathlib.Path("folder").mkdir(),
    "rmtree missing": lambda: shutil.rmtree("missing"),
    "copy missing": lambda: shutil.copy("missing", "copy"),
    "copytree over": lambda: shutil.copytree("full", "folder"),
    "temporary below missing": lambda: tempfile.mkdtemp(dir="missing", prefix=""),
    "raised with a number": lambda: raise_(OSError(errno.ENOSPC, "no room", "disk")),
    "raised with another": lambda: raise_(OSError(28, os.strerror(28))),
    "raised with two names": lambda: raise_(OSError(errno.EEXIST, "there", "a", None, "b")),
}


def raise_(error):
    raise error


class Custom(OSError):
    def __init__(self, code):
        super().__init__(code, "of my own")


for name, operation in OPERATIONS.items():
    try:
        operation()
        print(name, "->", "no error")
    except OSError as error:
        number = error.errno
        text = str(error) if "temporary" not in name else error.strerror
        print(name, "->", type(error).__name__, number, errno.errorcode.get(number), "|", text)
        if "temporary" not in name:
            print("   ", repr(error), error.args, error.filename, error.filename2)
        assert number is None or "raised" in name or error.strerror == os.strerror(number)

for number in range(134):
    if number not in (41, 58, 133):
        print(number, errno.errorcode.get(number), os.strerror(number), type(OSError(number, "")).__name__)
print(os.strerror(9999), [errno.ENOENT, errno.EAGAIN, errno.EWOULDBLOCK, errno.ENOTSUP, errno.EOPNOTSUPP])
print(Custom(errno.ENOENT), Custom(errno.ENOENT).errno, isinstance(OSError(errno.ENOENT, ""), FileNotFoundError))
open("missing at last")
