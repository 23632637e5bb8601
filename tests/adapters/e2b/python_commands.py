"""Commands of the unmodified SDK of E2B, as its users run them; fails with what does not hold.

Environment: E2B_API_KEY, E2B_API_URL, E2B_SANDBOX_URL. The arguments name what is tried.
"""

import asyncio
import json
import sys

from e2b import CommandExitException, NotFoundException, TimeoutException
from e2b_code_interpreter import AsyncSandbox, Sandbox


def raised(work, *kinds):
    try:
        work()
    except kinds as error:
        return error
    raise AssertionError(f"it did not raise one of {kinds}")


def foreground():
    with Sandbox.create(envs={"BOX": "1"}) as box:
        out, err = [], []
        ran = box.commands.run(
            "printf 'a\\nb'; echo ü >&2; printf '\\xff' | od -An -tx1",
            on_stdout=out.append,
            on_stderr=err.append,
        )
        assert ran.stdout == "a\nb ff\n" and ran.stderr == "ü\n" and ran.exit_code == 0, ran
        assert "".join(out) == ran.stdout and "".join(err) == ran.stderr, (out, err)
        failed = raised(lambda: box.commands.run("echo said; exit 3"), CommandExitException)
        assert (failed.exit_code, failed.stdout) == (3, "said\n"), failed
        raised(lambda: box.commands.run("grep nothing /dev/null"), CommandExitException)
        box.files.write("d/x.txt", "of the SDK\n")
        assert box.commands.run("cat x.txt", cwd="/home/user/d").stdout == "of the SDK\n"
        assert box.commands.run("cat x.txt", cwd="d").stdout == "of the SDK\n"
        box.commands.run("cd d && echo 'of the shell' > y.txt")
        assert box.files.read("d/y.txt") == "of the shell\n"
        assert box.commands.run("echo $BOX $OWN", envs={"OWN": "a 'b' $c"}).stdout == "1 a 'b' $c\n"
        # a command leaves nothing in the next one but its files
        box.commands.run("export LEFT=1; cd /tmp; f() { echo f; }")
        assert box.commands.run("echo [$LEFT]; pwd").stdout.startswith("[]\n/")
        raised(lambda: box.commands.run("echo $OWN | grep b"), CommandExitException)
        raised(lambda: box.commands.run("pwd", cwd="/home/user/nowhere"), Exception)
        assert box.commands.run("wc -c", ).stdout.strip() == "0"
        assert len(box.commands.run("seq 1 9000").stdout.split()) == 9000


def languages():
    """runCode with the language bash: a context that keeps its state."""
    with Sandbox.create() as box:
        lines = []
        run = box.run_code(
            "x=5; f() { echo f$x; }; f; mkdir d; cd d",
            language="bash",
            on_stdout=lambda told: lines.append(told.line),
        )
        assert run.error is None and lines == ["f5\n"], run
        assert box.run_code("f; pwd", language="bash").logs.stdout == ["f5\n", "/workspace/d\n"]
        box.run_code("open('p', 'w').write('of Python')")
        assert box.commands.run("cat p").stdout == "of Python"
        box.files.write("/home/user/app/s.py", "import os, sys; print(os.getcwd(), sys.argv[1:])")
        ran = box.commands.run("python3 s.py a | tee out", cwd="/home/user/app")
        assert ran.stdout == "/workspace/app ['a']\n" == box.files.read("app/out"), ran
        listed = box.commands.run("python3 -c \"import os; print(os.listdir('/home/user/app'))\"")
        assert "s.py" in listed.stdout, listed
        code = "import os; print(os.path.realpath('/home/user/app'), os.readlink('/home/user'))"
        assert box.commands.run(f'python3 -c "{code}"').stdout == "/workspace/app /workspace\n"


def background():
    with Sandbox.create() as box:
        handle = box.commands.run("echo begun; while true; do :; done", background=True)
        for stdout, _, _ in handle:
            if stdout is not None:
                assert stdout == "begun\n", stdout
                break
        [listed] = box.commands.list()
        assert listed.pid == handle.pid and listed.args[-1].startswith("echo begun"), listed
        followed = box.commands.connect(handle.pid)
        assert box.commands.kill(handle.pid)
        killed = raised(followed.wait, CommandExitException)
        assert killed.exit_code != 0, killed
        assert box.commands.list() == [] and not box.commands.kill(handle.pid)
        # output of a program comes while it runs
        code = "print(1, flush=True)\nwhile True: pass"
        handle = box.commands.run(f"python3 -c '{code}'", background=True)
        written = ""
        for stdout, _, _ in handle:
            written += stdout or ""
            if "\n" in written:
                break
        assert written == "1\n", written
        assert handle.kill()
        raised(handle.wait, CommandExitException)
        raised(lambda: box.commands.connect(handle.pid), NotFoundException)
        handle = box.commands.run("echo 1; echo 2 >&2; exit 4", background=True)
        ended = raised(handle.wait, CommandExitException)
        assert (ended.stdout, ended.stderr, ended.exit_code) == ("1\n", "2\n", 4), ended
        raised(lambda: box.commands.run("while true; do :; done", timeout=1), TimeoutException)
        assert box.commands.run("echo after").stdout == "after\n"


def refused():
    """Input and terminals are refused with a reason, and the sandbox goes on."""
    with Sandbox.create() as box:
        error = raised(lambda: box.commands.run("cat", background=True, stdin=True), Exception)
        assert "input" in str(error), error
        handle = box.commands.run("while true; do :; done", background=True)
        error = raised(lambda: box.commands.send_stdin(handle.pid, "x"), Exception)
        assert "input" in str(error), error
        assert handle.kill()
        assert box.commands.run("echo after").stdout == "after\n"


async def whole_async():
    box = await AsyncSandbox.create()
    out = []
    ran = await box.commands.run("echo a; exit 0", on_stdout=out.append)
    assert ran.stdout == "a\n" == "".join(out), ran
    handle = await box.commands.run("while true; do :; done", background=True)
    [listed] = await box.commands.list()
    assert listed.pid == handle.pid
    assert await handle.kill()
    many = await asyncio.gather(*(box.commands.run(f"echo {n} >> all; echo {n}") for n in range(20)))
    assert [ran.stdout for ran in many] == [f"{n}\n" for n in range(20)]
    assert len((await box.files.read("all")).split()) == 20
    await box.kill()


for name in sys.argv[1:]:
    made = globals()[name]()
    if asyncio.iscoroutine(made):
        asyncio.run(made)
    print(json.dumps(f"ok {name}"), flush=True)
