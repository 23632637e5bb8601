/**
 * Calls that always fail, as they would on a machine without network, processes, links and timers.
 * Programs get an ordinary exception from them.
 *
 * @module
 */

/** Error numbers of Emscripten's C library that only these calls use. */
const EACCES = 2;
const ENOSYS = 52;
const EPERM = 63;
/** `getaddrinfo`: a permanent failure. */
const EAI_FAIL = -4;

/** A constant answer for each call, by its import name. */
export const REFUSED_CALLS: Readonly<Record<string, number>> = {
  __syscall_socket: -EACCES,
  __syscall_bind: -EACCES,
  __syscall_connect: -EACCES,
  __syscall_listen: -EACCES,
  __syscall_accept4: -EACCES,
  __syscall_getpeername: -EACCES,
  __syscall_getsockname: -EACCES,
  __syscall_getsockopt: -EACCES,
  __syscall_recvfrom: -EACCES,
  __syscall_recvmsg: -EACCES,
  __syscall_sendmsg: -EACCES,
  __syscall_sendto: -EACCES,
  getaddrinfo: EAI_FAIL,
  getnameinfo: EAI_FAIL,
  getprotobyname: 0,
  __syscall_symlinkat: -EPERM,
  __syscall_mknodat: -EPERM,
  __syscall_fchownat: -EPERM,
  _setitimer_js: -ENOSYS,
  _emscripten_system: -1,
  // `ctypes` tries at its import to make a closure, and cannot. The call of foreign functions is not on
  // the list.
  ffi_closure_alloc_js: 8,
  ffi_closure_free_js: 0,
  ffi_prep_closure_loc_js: 1,
  // Means "not one of Pyodide's own sockets, continue": there are none.
  _try_fcntl64: 0,
  _try_shutdown: 0,
};

/** Constant answers of calls that return a reference to a JavaScript value. */
export const REFUSED_REFERENCES: readonly string[] = [
  "_maybe_connect_async",
  "_maybe_recvfrom_async",
  "_maybe_sendto_async",
  "_maybe_poll_async",
  // A constructor of the module makes this call before main. Every use of its result is refused.
  "__hiwire_deduplicate_new",
];
