import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { createPreparer } from "../../../../../runtimes/languages/javascript/host/source/prepare.ts";
import { HandleTable } from "../../../../../runtimes/languages/javascript/host/source/handle_table.ts";
import {
  IMPORT_MODULE,
  stripperImports,
  StripperRefusal,
} from "../../../../../runtimes/languages/javascript/host/source/stripper_imports.ts";
import { StripperInstance } from "../../../../../runtimes/languages/javascript/host/source/stripper_instance.ts";
import {
  meterStripper,
  StripperPackageError,
} from "../../../../../runtimes/languages/javascript/build/stripper_module.ts";
import { prepared, stripperModule, TYPESCRIPT } from "./preparer.ts";

const FUEL = 1_000_000_000;

function started(fuel = FUEL): StripperInstance {
  const instance = new StripperInstance(stripperModule());
  instance.fuel = fuel;
  return instance;
}

Deno.test("stripper: the module has every import on the list", () => {
  const memory = {
    text: () => "",
    newText: () => ({ pointer: 0, length: 0 }),
    setInt32: () => undefined,
    setFloat64: () => undefined,
  };
  const module = stripperModule();
  const imports = stripperImports(module, new HandleTable(), memory)[IMPORT_MODULE] ?? {};
  const names = WebAssembly.Module.imports(module).map(({ name }) => name);
  assertEquals(Object.keys(imports).sort(), names.toSorted());
  const refusing = names.filter((name) => {
    const imported = imports[name];
    if (typeof imported !== "function") return false;
    try {
      imported(1, 1, 1);
      return false;
    } catch (error) {
      return error instanceof StripperRefusal;
    }
  });
  for (const reach of [/newnoargs/, /GLOBAL_THIS/, /_call_/, /queueMicrotask/, /_new_23a2/]) {
    assert(refusing.some((name) => reach.test(name)), String(reach));
  }
  assertEquals(names.length - refusing.length, 24);
});

Deno.test("stripper: the same source uses the same fuel in every instance", () => {
  const spent = [started(), started(), started()].map((instance) => {
    assertEquals(instance.strip("let a: number = 1", "strip-only"), {
      kind: "code",
      code: "let a         = 1",
      map: undefined,
    });
    return FUEL - instance.fuel;
  });
  assertNotEquals(spent[0], 0);
  assertEquals(new Set(spent).size, 1);
});

Deno.test("stripper: without fuel it stops and reports that", () => {
  const outcome = started(1000).strip("let a: number = 1", "strip-only");
  assertEquals(outcome, { kind: "trap", outOfFuel: true });
});

Deno.test("stripper: unsupported syntax is distinguished from wrong syntax", () => {
  const instance = started();
  const unsupported = instance.strip("\nenum A {}", "strip-only");
  assert(unsupported.kind === "fault" && unsupported.unsupported);
  assertMatch(unsupported.fault.message, /enum is not supported/);
  const wrong = instance.strip("let a =\n  ;", "strip-only");
  assert(wrong.kind === "fault" && !wrong.unsupported);
  assertEquals([wrong.fault.line, wrong.fault.column], [2, 2]);
});

Deno.test("stripper: a trap spoils one source, not the next", () => {
  const preparer = createPreparer({ stripper: stripperModule });
  for (let round = 0; round < 3; round++) {
    assert(!preparer.prepare("[".repeat(65_536), TYPESCRIPT).ok);
    assertEquals(prepared(preparer, "let a: A = 1", TYPESCRIPT).code, "let a    = 1");
  }
  assert(preparer.healthy);
});

Deno.test("stripper: the first TypeScript loads it; resets keep it", () => {
  let loads = 0;
  const preparer = createPreparer({
    stripper: () => {
      loads++;
      return stripperModule();
    },
  });
  preparer.reset();
  prepared(preparer, "1 + 1");
  assertEquals(loads, 0);
  for (let round = 0; round < 3; round++) {
    prepared(preparer, "let a: number = 1");
    preparer.reset();
    preparer.reset();
  }
  assertEquals(loads, 1);
});

Deno.test("stripper: a preparer that cannot load it reports that it is not healthy", () => {
  const preparer = createPreparer({
    stripper: () => {
      throw new RangeError("out of memory");
    },
  });
  assertEquals(prepared(preparer, "1 + 1").code, "1 + 1");
  assert(preparer.healthy);
  assert(!preparer.prepare("let a: number = 1", TYPESCRIPT).ok);
  assert(!preparer.healthy);
  assertEquals(prepared(preparer, "1 + 1", TYPESCRIPT).code, "1 + 1");
});

Deno.test("stripper: a package without its module, or an unmetered module, is refused", () => {
  assertThrows(() => meterStripper("const bytes = 1"), StripperPackageError);
  const empty = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  assertThrows(() => new StripperInstance(empty), TypeError);
});
