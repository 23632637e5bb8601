/**
 * `os`: the little that exists of an operating system.
 *
 * @module
 */
import { WORKSPACE } from "../../../../../client/protocol/paths.ts";
import { performanceNow } from "../primordials.ts";
import { errorNumbers } from "./system_errors.ts";

const HOST_NAME = "belljar";
const USER_ID = 1000;
const NO_TIMES = { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 };

/** The module `os`; `memory` returns the size of the guest's memory in bytes. */
export function createOs(environment: object, memory: () => number): object {
  return {
    EOL: "\n",
    arch: () => "wasm32",
    availableParallelism: () => 1,
    cpus: () => [{ model: "wasm32", speed: 0, times: { ...NO_TIMES } }],
    endianness: () => "LE",
    freemem: () => 0,
    getPriority: () => 0,
    homedir: () => String(Reflect.get(environment, "HOME") ?? WORKSPACE),
    hostname: () => HOST_NAME,
    loadavg: () => [0, 0, 0],
    machine: () => "wasm32",
    networkInterfaces: () => ({}),
    platform: () => "linux",
    release: () => "0.0.0",
    tmpdir: () => String(Reflect.get(environment, "TMPDIR") ?? "/tmp"),
    totalmem: memory,
    type: () => "Linux",
    uptime: () => performanceNow() / 1000,
    userInfo: () => ({
      uid: USER_ID,
      gid: USER_ID,
      username: "guest",
      homedir: WORKSPACE,
      shell: null,
    }),
    version: () => HOST_NAME,
    constants: { errno: errorNumbers(), signals: {}, priority: {} },
    devNull: "/dev/null",
  };
}
