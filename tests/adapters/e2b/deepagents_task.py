"""A scripted task on the sandbox back end of deepagents, over E2B's SDK; fails with what does not hold.

Environment: E2B_API_KEY, E2B_API_URL, E2B_SANDBOX_URL.
"""

from deepagents.backends.protocol import (
    ExecuteResponse,
    FileDownloadResponse,
    FileUploadResponse,
)
from deepagents.backends.sandbox import BaseSandbox
from e2b import CommandExitException
from e2b_code_interpreter import Sandbox


class Box(BaseSandbox):
    """The back end as a user of both packages writes it."""

    def __init__(self, box):
        self._box = box

    @property
    def id(self):
        return self._box.sandbox_id

    def execute(self, command, *, timeout=None):
        try:
            ran = self._box.commands.run(command, timeout=timeout or 60)
        except CommandExitException as error:
            ran = error
        return ExecuteResponse(output=ran.stdout + ran.stderr, exit_code=ran.exit_code)

    def upload_files(self, files):
        for path, content in files:
            self._box.files.write(path, content)
        return [FileUploadResponse(path=path, error=None) for path, _ in files]

    def download_files(self, paths):
        return [
            FileDownloadResponse(path=path, content=bytes(self._box.files.read(path, "bytes")))
            for path in paths
        ]


def paths(found):
    return sorted(item["path"] for item in found)


CODE = "import sys\n\n\ndef total(path):\n    # TODO: empty lines\n    return sum(map(int, open(path)))\n\n\nprint(total(sys.argv[1]))\n"

with Sandbox.create() as made:
    box = Box(made)
    for path, text in {
        "/home/user/app/total.py": CODE,
        "/home/user/app/data/one.txt": "1\n2\n",
        "/home/user/app/data/two.txt": "3\n\n",
        "/home/user/notes.md": "# Notes\n",
    }.items():
        assert box.write(path, text).error is None, path

    # found by name, on the home directory and below it
    found = box.glob("*.py", "/home/user")
    assert found.error is None and paths(found.matches) == ["/home/user/app/total.py"], found
    found = box.glob("**/data/*.{txt,csv}", "/home/user")
    assert len(found.matches) == 2, found
    assert box.glob("*.md", "/home/user/app").matches == [], found
    assert paths(box.glob("*.txt", "/workspace/app").matches) == [
        "/workspace/app/data/one.txt",
        "/workspace/app/data/two.txt",
    ]
    assert box.glob("*", "/home/user/nowhere").error is not None
    listed = box.ls("/home/user")
    assert paths(listed.entries) == ["/home/user/app", "/home/user/notes.md"], listed

    # found by content
    matches = box.grep("TODO", "/home/user").matches
    assert [(m["path"], m["line"]) for m in matches] == [("/home/user/app/total.py", 5)], matches
    assert len(box.grep("TODO", "/home/user", "*.py").matches) == 1
    assert len(box.grep("3", "/home/user", "app/data/*.txt").matches) == 1
    assert box.grep("nothing here", "/home/user").matches == []

    # read by pages, run, mended, run again
    page = box.read("/home/user/app/total.py", 3, 2)
    assert page.file_data["content"].startswith("def total"), page
    assert box.read("/home/user/none").error is not None
    ran = box.execute("cd /home/user/app && python3 total.py data/one.txt")
    assert (ran.output, ran.exit_code) == ("3\n", 0), ran
    ran = box.execute("cd /home/user/app && python3 total.py data/two.txt 2>&1 | tail -n 1")
    assert ran.output.startswith("ValueError"), ran
    old, new = "    # TODO: empty lines\n    return sum(map(int, open(path)))", (
        "    return sum(int(line) for line in open(path) if line.strip())"
    )
    assert box.edit("/home/user/app/total.py", old, new).error is None
    assert box.edit("/home/user/app/total.py", old, new).error is not None
    ran = box.execute("cd /home/user/app && cat data/*.txt > /tmp/all && python3 total.py /tmp/all")
    assert (ran.output, ran.exit_code) == ("6\n", 0), ran

    # edits of more than some 40 KB do not fit into a command
    large = "line\n" * 5_000
    assert box.write("/home/user/large.txt", large + "end").error is None
    assert box.edit("/home/user/large.txt", large, "short\n").error is None
    assert box.read("/home/user/large.txt").file_data["content"] == "short\nend"
    assert box.download_files(["/home/user/large.txt"])[0].content == b"short\nend"
    assert box.delete("/home/user/large.txt").error is None
    assert not box.glob("large*", "/home/user").matches
    assert box.execute("exit 3").exit_code == 3
print("ok deepagents")
