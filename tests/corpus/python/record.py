"""Records what CPython does with the programs: `python3 record.py`, with CPython 3.13 or newer.

Writes expected.json: for each program its output, its errors and its exit status. The path of
the program is shortened to main.py, as the engine names it; that of the library is the usual one.
"""

import json
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

HERE = pathlib.Path(__file__).parent
LIBRARY = sysconfig.get_path("stdlib")
SHOWN = "/usr/lib/python" + sysconfig.get_python_version()


def record(program):
    """What one program does, in an empty directory of its own."""
    with tempfile.TemporaryDirectory() as directory:
        main = pathlib.Path(directory, "main.py")
        main.write_bytes(program.read_bytes())
        done = subprocess.run(
            [sys.executable, "-X", "utf8", str(main)],
            cwd=directory,
            env={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", "TZ": "UTC"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
    return {
        "stdout": done.stdout.decode(),
        "stderr": done.stderr.decode().replace(str(main), "main.py").replace(LIBRARY, SHOWN),
        "status": done.returncode,
    }


if sys.version_info < (3, 13):
    sys.exit("CPython 3.13 or newer is needed")
expected = {program.stem: record(program) for program in sorted((HERE / "programs").glob("*.py"))}
text = json.dumps({"python": sys.version.split()[0], "programs": expected}, indent=2, ensure_ascii=False)
(HERE / "expected.json").write_text(text + "\n")
