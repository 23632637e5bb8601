"""Records what CPython does with the programs: `python3 record.py`, with CPython 3.13 or newer.

`python3 record.py name ...` records these alone and leaves the others as they are; for programs
without a traceback any CPython will do.

Writes expected.json: for each program its output, its errors and its exit status. The path of
the program is shortened to main.py, as the engine names it; that of the library is the usual one.
"""

import json
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile

HERE = pathlib.Path(__file__).parent
LIBRARY = sysconfig.get_path("stdlib")
SHOWN = "/usr/lib/python" + sysconfig.get_python_version()


def programs():
    """The programs of the archive (tests/corpus/archive.ts), by name."""
    parts = re.split(r"^-- (\S+)\.py --\n", (HERE.parent / "python.txtar").read_text(), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def record(program):
    """What one program does, in an empty directory of its own."""
    with tempfile.TemporaryDirectory() as directory:
        main = pathlib.Path(directory, "main.py")
        main.write_text(program)
        done = subprocess.run(
            [sys.executable, "-X", "utf8", str(main)],
            cwd=directory,
            env={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", "TZ": "UTC"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
    return {
        "stdout": done.stdout.decode().replace(str(main), "main.py"),
        "stderr": done.stderr.decode().replace(str(main), "main.py").replace(LIBRARY, SHOWN),
        "status": done.returncode,
    }


named = sys.argv[1:]
target = HERE / "expected.json"
if named:
    known = json.loads(target.read_text())
else:
    if sys.version_info < (3, 13):
        sys.exit("CPython 3.13 or newer is needed")
    known = {"python": sys.version.split()[0], "programs": {}}
    named = list(programs())
known["programs"].update((name, record(programs()[name])) for name in named)
known["programs"] = dict(sorted(known["programs"].items()))
target.write_text(json.dumps(known, indent=2, ensure_ascii=False) + "\n")
