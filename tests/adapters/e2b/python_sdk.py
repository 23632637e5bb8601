"""The unmodified SDK of E2B, driven as its users do; fails with what does not hold.

Environment: E2B_API_KEY, E2B_API_URL, E2B_SANDBOX_URL. The first argument names what is tried.
"""

import asyncio
import json
import sys
import time

from e2b_code_interpreter import AsyncSandbox, Sandbox


def whole():
    with Sandbox.create(timeout=120, envs={"A": "1"}, metadata={"m": "x"}) as box:
        lines, results = [], []
        run = box.run_code(
            "import os\nprint('ü', os.environ['A'], os.environ['B'])\n'text'",
            envs={"B": "2"},
            on_stdout=lambda told: lines.append(told.line),
            on_result=lambda told: results.append(told),
        )
        assert "".join(lines) == "ü 1 2\n", lines
        assert run.text == "text" and len(results) == 1, run
        assert "".join(run.logs.stdout) == "ü 1 2\n", run.logs
        assert box.run_code("x = 20").text is None
        assert box.run_code("x + 1").text == "21"
        failed = box.run_code("1/0").error
        assert failed.name == "ZeroDivisionError" and "division" in failed.value, failed
        context = box.create_code_context(language="javascript", cwd="/home/user")
        assert box.run_code("var y = 6; y * 7", context=context).text == "42"
        assert box.run_code("1 + 1", language="javascript").text == "2"
        assert context.id in [known.id for known in box.list_code_contexts()]
        box.restart_code_context(context)
        assert box.run_code("typeof y", context=context).text == "undefined"
        box.remove_code_context(context)
        assert context.id not in [known.id for known in box.list_code_contexts()]
        path = "/home/user/Ordner ä/größe 1.txt"
        box.files.write(path, "hällo")
        box.files.write_files([{"path": "c1", "data": "1"}, {"path": "b 2", "data": b"\0\1"}])
        assert box.files.read(path) == "hällo"
        assert bytes(box.files.read("b 2", format="bytes")) == b"\0\1"
        assert box.run_code("open('Ordner ä/größe 1.txt').read()").text == "hällo"
        assert sorted(entry.name for entry in box.files.list("/home/user")) == ["Ordner ä", "b 2", "c1"]
        assert box.files.exists(path) and not box.files.exists("nothing")
        assert box.files.get_info("c1").path == "/home/user/c1"
        assert box.files.make_dir("d") and not box.files.make_dir("d")
        assert box.files.rename("c1", "d/c1").path == "/home/user/d/c1"
        box.files.remove("d")
        for attempt in (lambda: box.files.read("nothing"), lambda: box.commands.run("ls")):
            try:
                attempt()
            except Exception as error:
                print(type(error).__name__, error)
            else:
                raise AssertionError("it did not fail")
        box.set_timeout(600)
        assert 500 < box.get_info().end_at.timestamp() - time.time() < 700
        assert box.is_running()
        again = Sandbox.connect(box.sandbox_id)
        assert again.run_code("x").text == "20"
        assert box.sandbox_id in [known.sandbox_id for known in Sandbox.list().next_items()]
        assert box.kill() and not box.is_running()
        try:
            box.run_code("1")
        except Exception as error:
            print(type(error).__name__, error)
        else:
            raise AssertionError("a killed sandbox ran code")


def long_output():
    with Sandbox.create() as box:
        lines = []
        run = box.run_code("for n in range(9_999): print('x' * 99)", on_stdout=lambda told: lines.append(told.line))
        assert sum(map(len, lines)) == 9_999 * 100 == sum(map(len, run.logs.stdout))
        box.files.write("long", "ü" * 1_000_000)
        assert len(box.files.read("long")) == 1_000_000


def figure():
    with Sandbox.create() as box:
        run = box.run_code("class F:\n  def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\n' + bytes(99)\nF()")
        assert run.results[0].png.startswith("iVBORw0KGgo"), run
        run = box.run_code("class H:\n  def _repr_html_(self): return '<b>h</b>'\ndisplay(H())\n[True, None]")
        assert run.text == "[True, None]" and run.results[0].html == "<b>h</b>", run


def quota():
    """With MAX_SANDBOXES=1: the second sandbox says why there is none."""
    with Sandbox.create() as box:
        try:
            Sandbox.create().run_code("1")
        except Exception as error:
            print(type(error).__name__, error)
        else:
            raise AssertionError("the quota does not hold")


def without_url():
    """Without E2B_SANDBOX_URL: nothing is sent to another service, and the error says the cure."""
    box = Sandbox.create()
    for call in (lambda: box.run_code("1"), lambda: box.files.write("a", "b")):
        try:
            call()
        except Exception as error:
            assert "set-e2b-sandbox-url.invalid" in str(error), error
        else:
            raise AssertionError("the call was answered")
    assert Sandbox.kill(box.sandbox_id)


def wrong_key():
    try:
        Sandbox.create(api_key="e2b_dead")
    except Exception as error:
        assert "401" in str(error) or "auth" in str(error).lower(), error
    else:
        raise AssertionError("a wrong key made a sandbox")


async def many():
    box = await AsyncSandbox.create()
    runs = await asyncio.gather(*(box.run_code("n = globals().get('n', 0) + 1\nn") for _ in range(50)))
    assert sorted(int(run.text) for run in runs) == list(range(1, 51))
    started = time.monotonic()
    try:
        await box.run_code("n = 0\nwhile True: pass", timeout=1)
    except Exception as error:
        print(type(error).__name__, error)
    assert (await box.run_code("n")).text == "50"
    assert time.monotonic() - started < 30
    await box.files.write("f", "x")
    assert await box.files.read("f") == "x"
    await box.kill()


async def whole_async():
    box = await AsyncSandbox.create(timeout=120, metadata={"m": "y"})
    lines, results = [], []
    run = await box.run_code(
        "print('ü')\n'text'",
        on_stdout=lambda told: lines.append(told.line),
        on_result=lambda told: results.append(told),
    )
    assert lines == ["ü\n"] and run.text == "text" and len(results) == 1, (lines, run)
    assert (await box.run_code("1/0")).error.name == "ZeroDivisionError"
    context = await box.create_code_context(language="javascript")
    assert (await box.run_code("var y = 6; y * 7", context=context)).text == "42"
    await box.restart_code_context(context)
    assert (await box.run_code("typeof y", context=context)).text == "undefined"
    await box.remove_code_context(context)
    await box.files.write("d/ä", b"\0\1")
    assert bytes(await box.files.read("d/ä", format="bytes")) == b"\0\1"
    assert [entry.name for entry in await box.files.list("d")] == ["ä"]
    await box.set_timeout(600)
    assert (await box.get_info()).end_at.timestamp() - time.time() > 500
    again = await AsyncSandbox.connect(box.sandbox_id)
    assert await again.is_running()
    assert await box.kill() and not await again.is_running()


def tenants():
    """The key of another tenant: the sandbox does not exist for it."""
    other = {"api_key": "e2b_00ee"}
    with Sandbox.create() as box:
        with Sandbox.create(**other) as theirs:
            theirs.run_code("x = 1")
            assert [known.sandbox_id for known in Sandbox.list(**other).next_items()] == [theirs.sandbox_id]
            assert not Sandbox.kill(theirs.sandbox_id)
            try:
                Sandbox.connect(theirs.sandbox_id).run_code("x")
            except Exception as error:
                print(type(error).__name__, error)
            else:
                raise AssertionError("another tenant's sandbox ran code")
            assert theirs.run_code("x").text == "1"
        assert box.is_running()


def restarted():
    """Prints its id; goes on when the service is there again and a line comes."""
    box = Sandbox.create(timeout=600)
    box.run_code("kept = 21")
    box.files.write("f", "x")
    print(json.dumps("ready"), flush=True)
    sys.stdin.readline()
    assert box.run_code("kept * 2").text == "42"
    assert box.files.read("f") == "x"
    box.kill()


for name in sys.argv[1:]:
    made = globals()[name]()
    if asyncio.iscoroutine(made):
        asyncio.run(made)
    print(json.dumps(f"ok {name}"), flush=True)
