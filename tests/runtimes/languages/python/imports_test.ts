import { Baseline } from "../../../../runtimes/engine/baseline.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { StoppedError } from "../../../../runtimes/languages/python/host/guest_process.ts";
import { allowedCalls, hostImports } from "../../../../runtimes/languages/python/host/imports.ts";
import { Instance } from "../../../../runtimes/languages/python/host/instance.ts";
import { engineParts } from "./support.ts";

/** Every call that a guest can make. An addition here grants access on purpose. */
const ALLOWED = `
  __assert_fail __call_sighandler __hiwire_deduplicate_new __syscall_accept4 __syscall_bind
  __syscall_chdir __syscall_chmod __syscall_connect __syscall_dup __syscall_dup3
  __syscall_faccessat __syscall_fadvise64 __syscall_fallocate __syscall_fchdir __syscall_fchmod
  __syscall_fchmodat2 __syscall_fchown32 __syscall_fchownat __syscall_fcntl64
  __syscall_fdatasync __syscall_fstat64 __syscall_fstatfs64 __syscall_ftruncate64
  __syscall_getcwd __syscall_getdents64 __syscall_getpeername __syscall_getsockname
  __syscall_getsockopt __syscall_getuid32_js __syscall_ioctl __syscall_listen __syscall_lstat64
  __syscall_mkdirat __syscall_mknodat __syscall_newfstatat __syscall_openat __syscall_pipe
  __syscall_poll __syscall_readlinkat __syscall_recvfrom __syscall_recvmsg __syscall_renameat
  __syscall_rmdir __syscall_sendmsg __syscall_sendto __syscall_socket __syscall_stat64
  __syscall_statfs64 __syscall_symlinkat __syscall_truncate64 __syscall_umask_js
  __syscall_unlinkat __syscall_utimensat _PyEM_TrampolineCall_JS
  _Py_CheckEmscriptenSignals_Helper _Py_emscripten_runtime _abort_js _dlopen_js _dlsym_js _emscripten_get_progname
  _emscripten_runtime_keepalive_clear _emscripten_system _gmtime_js _localtime_js
  _maybe_connect_async _maybe_poll_async _maybe_recvfrom_async _maybe_sendto_async _mktime_js
  _mmap_js _msync_js _munmap_js _setitimer_js _timegm_js _try_fcntl64 _try_shutdown _tzset_js
  belljar_linux_errno_value belljar_strerror_static clock_res_get clock_time_get emscripten_date_now emscripten_get_heap_max emscripten_get_now
  emscripten_resize_heap emscripten_runtime_keepalive_pop emscripten_runtime_keepalive_push
  environ_get environ_sizes_get exit fd_close fd_fdstat_get fd_pread fd_pwrite fd_read fd_seek
  fd_sync fd_write ffi_closure_alloc_js ffi_closure_free_js ffi_prep_closure_loc_js getaddrinfo getnameinfo getprotobyname proc_exit random_get
`.trim().split(/\s+/);

/** Calls that end the run. */
const ENDINGS = new Set(["exit", "proc_exit", "_abort_js", "__assert_fail"]);
/** Calls of a function by its table index: there is none at index 0. */
const CALLERS = new Set(["__call_sighandler", "_PyEM_TrampolineCall_JS"]);

async function interpreter(): Promise<readonly [WebAssembly.Module, Instance]> {
  const parts = await engineParts();
  return [parts.module, new Instance(parts, new Baseline(parts.image))];
}

Deno.test("imports: the allow-list is exactly the list of this test", async () => {
  const [, { machine }] = await interpreter();
  assertEquals([...allowedCalls(machine).keys()].sort(), [...ALLOWED].sort());
});

Deno.test("imports: each of the module's imports answers by the list, or ends the run", async () => {
  const [module, { machine }] = await interpreter();
  const imports = hostImports(module, machine);
  let forbidden = 0;
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const value = imports[from]?.[name];
    if (kind !== "function") {
      assert(value instanceof WebAssembly.Global && value.value === 0, name);
      continue;
    }
    assert(typeof value === "function", name);
    machine.startRun({ fuel: 1_000_000n, wallMs: 1000, output: () => true });
    const wide = /js$|get$|pread|pwrite|seek|64|_js/.test(name);
    const call = () => {
      try {
        return value(...new Array(8).fill(0));
      } catch (error) {
        if (!(error instanceof TypeError) || !wide) throw error;
        return value(0, 0n, 0n, 0n, 0n, 0n, 0n, 0n);
      }
    };
    if (!ALLOWED.includes(name) || ENDINGS.has(name) || CALLERS.has(name)) {
      assertThrows(call, StoppedError);
      assert(machine.stopped !== undefined, name);
      assert(BigInt(machine.python.fuel.value) < 0n, `${name} left fuel`);
      if (!ALLOWED.includes(name)) {
        assertEquals(machine.stopped, { kind: "crash", reason: `a call of ${name}` });
        forbidden++;
      }
    } else if (name !== "__syscall_poll") {
      call();
      assertEquals(machine.stopped, undefined, name);
    }
  }
  assert(forbidden > 150, `only ${forbidden} imports are forbidden`);
});

Deno.test("imports: the list has no bridge and no foreign function interface, and two look-ups of the linker", () => {
  const forbidden =
    /^Js|js2python|python2js|hiwire|proxy|dlopen|dlsym|ffi_|asm_const|run_script|raw_call|console|log/i;
  // The two of the linker look up what the build linked in; see native_modules_test.ts. `ctypes` tries at
  // its import to make a closure, and cannot.
  const harmless = new Set([
    "__hiwire_deduplicate_new",
    "_dlopen_js",
    "_dlsym_js",
    "ffi_closure_alloc_js",
    "ffi_closure_free_js",
    "ffi_prep_closure_loc_js",
  ]);
  assertEquals(ALLOWED.filter((name) => forbidden.test(name) && !harmless.has(name)), []);
});
