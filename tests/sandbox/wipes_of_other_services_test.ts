import { Tenants } from "../../shared/tenants.ts";
import { assertEquals } from "@std/assert";
import { RuntimeBindings } from "../../sandbox/runtime_bindings.ts";
import { RuntimeWipes } from "../../sandbox/runtime_wipes.ts";
import { runtimeWipesPrefix } from "../../store/keys.ts";
import { FakeRuntime } from "./fake_runtime.ts";
import { withStore } from "./fixture.ts";

Deno.test("wipes: state of languages that this service does not enable waits, and delays nothing", () =>
  withStore(async (kv) => {
    const logged: string[] = [];
    const log = (_: unknown, event: string) => void logged.push(event);
    const clock = Date.now;
    const wipesWith = (name: string, runtime: FakeRuntime) =>
      new RuntimeWipes({
        kv,
        clock,
        log,
        bindings: new RuntimeBindings(new Map([[name, runtime]]), new Tenants(), log),
      });
    const python = new FakeRuntime("python");
    const perl = new FakeRuntime("perl");
    // those of Python are first in the order of keys, and more than a round handles
    const wipe = (id: string, binding: string) => ({
      id,
      binding,
      key: id,
      contextId: null,
    });
    for (let index = 0; index < 1_100; index++) {
      const value = wipe(`a${index}`, "PYTHON");
      await kv.atomic().set([...runtimeWipesPrefix(), value.id], value).commit();
    }
    const last = wipe("z", "PERL");
    await kv.atomic().set([...runtimeWipesPrefix(), last.id], last).commit();
    const never = new AbortController().signal;

    const ofPerl = wipesWith("PERL", perl);
    await ofPerl.finish([wipe("a0", "PYTHON")]);
    assertEquals(await ofPerl.finishAll(never), 1);
    assertEquals(perl.requests, ["remove z"]);
    const ofPython = wipesWith("PYTHON", python);
    assertEquals([await ofPython.finishAll(never), await ofPython.finishAll(never)], [1_000, 100]);
    assertEquals(logged, []);
  }));
