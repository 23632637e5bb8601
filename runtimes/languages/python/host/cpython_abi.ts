/**
 * The exports of Pyodide's CPython module, by name. The names belong to one
 * exact version of the package.
 *
 * @module
 */

/** npm package of the module, as pinned in deno.json. */
export const PYODIDE_PACKAGE = "pyodide";

/** Exported functions used here. All parameters and results are 32-bit numbers. */
export const CPYTHON_FUNCTIONS = [
  "__wasm_call_ctors",
  "malloc",
  "free",
  "__errno_location",
  "emscripten_stack_get_base",
  "emscripten_stack_get_end",
  "emscripten_get_sbrk_ptr",
  "PyInitConfig_Create",
  "PyInitConfig_SetInt",
  "PyInitConfig_SetStr",
  "PyInitConfig_SetStrList",
  "PyInitConfig_GetError",
  "Py_InitializeFromInitConfig",
  "PyRun_SimpleString",
  "PyImport_ImportModule",
  "PyObject_GetAttrString",
  "PyObject_CallNoArgs",
  "PyObject_CallOneArg",
  "PyObject_Type",
  "PyErr_GetRaisedException",
  "PyUnicode_AsUTF8String",
  "PyBytes_FromStringAndSize",
  "PyBytes_Size",
  "PyBytes_AsString",
  "Py_DecRef",
  "PyThreadState_Get",
  "PyThreadState_GetUnchecked",
  "PyEval_RestoreThread",
  "PyThreadState_GetFrame",
  "PyFrame_GetBack",
  "PyFrame_GetCode",
  "PyFrame_GetLineNumber",
  "PyUnstable_ThreadState_SetStackProtection",
] as const;

/** Name of an exported function, as this code calls it. */
export type CPythonFunction = typeof CPYTHON_FUNCTIONS[number];

/** Exported globals that hold addresses of C variables. */
export const CPYTHON_ADDRESSES = {
  runtime: "_PyRuntime",
  trampolineOffset: "_PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET",
  inittab: "PyImport_Inittab",
  bytesType: "PyBytes_Type",
  signalHandling: "Py_EMSCRIPTEN_SIGNAL_HANDLING",
} as const;

/** Name under which the stack pointer is exported. */
export const STACK_POINTER = "__stack_pointer";
/** The names that metering gives to the other mutable globals. */
export const OTHER_STATE_GLOBALS = ["__g281", "__g282", "__g283"] as const;

/**
 * Modules that are removed from the interpreter's table before it starts: access to foreign
 * code, and tests of CPython itself that crash on purpose.
 */
export const REMOVED_BUILTINS: ReadonlySet<string> = new Set([
  "_ctypes_test",
  "_pyodide_core",
  "_remote_debugging",
  "_testcapi",
  "_testbuffer",
  "_testclinic",
  "_testclinic_limited",
  "_testexternalinspection",
  "_testimportmultiple",
  "_testinternalcapi",
  "_testlimitedcapi",
  "_testmultiphase",
  "_testsinglephase",
  "_xxtestfuzz",
  "xxlimited",
  "xxlimited_35",
  "xxsubtype",
]);
