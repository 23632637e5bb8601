import { assertEquals } from "@std/assert";
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import { quickJsModule } from "../../../runtimes/build/javascript.ts";
import {
  IMPORT_MODULE,
  QUICKJS_EXPORTS,
  QUICKJS_IMPORTS,
  type QuickJsExport,
} from "../../../runtimes/isolate/javascript/quickjs_abi.ts";

/** The package's own names of the functions used here. */
const PACKAGE_NAMES: Record<Exclude<QuickJsExport, "construct">, string> = {
  malloc: "_malloc",
  free: "_free",
  runtimeSetMemoryLimit: "_QTS_RuntimeSetMemoryLimit",
  runtimeSetMaxStackSize: "_QTS_RuntimeSetMaxStackSize",
  getUndefined: "_QTS_GetUndefined",
  newRuntime: "_QTS_NewRuntime",
  newContext: "_QTS_NewContext",
  freeValue: "_QTS_FreeValuePointer",
  freeValueRuntime: "_QTS_FreeValuePointerRuntime",
  freeVoidPointer: "_QTS_FreeVoidPointer",
  freeCString: "_QTS_FreeCString",
  dupValue: "_QTS_DupValuePointer",
  newArrayBuffer: "_QTS_NewArrayBuffer",
  newString: "_QTS_NewString",
  getString: "_QTS_GetString",
  getArrayBuffer: "_QTS_GetArrayBuffer",
  getArrayBufferLength: "_QTS_GetArrayBufferLength",
  executePendingJob: "_QTS_ExecutePendingJob",
  getProp: "_QTS_GetProp",
  setProp: "_QTS_SetProp",
  call: "_QTS_Call",
  resolveException: "_QTS_ResolveException",
  evaluate: "_QTS_Eval",
  typeOf: "_QTS_Typeof",
  getGlobalObject: "_QTS_GetGlobalObject",
  promiseState: "_QTS_PromiseState",
  promiseResult: "_QTS_PromiseResult",
  newFunction: "_QTS_NewFunction",
  argument: "_QTS_ArgvGetJSValueConstPointer",
  enableInterruptHandler: "_QTS_RuntimeEnableInterruptHandler",
};

/** Runs the package's loader over exports that only identify themselves. */
async function packageExports(): Promise<{ readonly module: object; readonly called: string[] }> {
  const called: string[] = [];
  const exports = new Proxy({}, {
    get: (_target, name) =>
      name === "then"
        ? undefined
        : Object.assign(() => called.push(String(name)), { is: String(name) }),
  });
  // the package's types do not see through its default export
  const load: unknown = await Reflect.apply(
    Reflect.get(variant, "importModuleLoader"),
    variant,
    [],
  );
  if (typeof load !== "function") throw new TypeError("The package has no loader");
  const instantiateWasm = (_imports: object, done: (instance: object) => void) => {
    done({ exports });
    return {};
  };
  const module: object = await Reflect.apply(load, undefined, [{ instantiateWasm }]);
  return { module, called };
}

Deno.test("quickjs interface: exports have the names that the package's loader uses", async () => {
  const { module, called } = await packageExports();
  for (const [ours, theirs] of Object.entries(PACKAGE_NAMES)) {
    const found = Reflect.get(Reflect.get(module, theirs), "is");
    assertEquals([ours, found], [ours, QUICKJS_EXPORTS[ours as QuickJsExport]]);
  }
  assertEquals(called, [QUICKJS_EXPORTS.construct]);
});

Deno.test("quickjs interface: the module imports exactly what the allow-list has", async () => {
  const module = new WebAssembly.Module(await quickJsModule());
  const wanted = Object.values(QUICKJS_IMPORTS).map((name) => `${IMPORT_MODULE}.${name}`);
  const found = WebAssembly.Module.imports(module).map((item) => `${item.module}.${item.name}`);
  assertEquals(found.sort(), wanted.sort());
});
