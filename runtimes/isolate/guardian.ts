/**
 * The thread that watches standard input: it hands the first line, the token, to the program, and
 * all bytes after it to a pipe in shared memory. It ends the process when the parent closes standard
 * input or dies, even while the main thread is deep in a guest or waits at the pipe.
 *
 * @module
 */
import { createPipeMemory, PIPE_HEAD_BYTES, PIPE_LENGTH_AT, PIPE_STATE } from "./shared_pipe.ts";

/** Runs in a worker made from its source text, so it refers to nothing outside its body. */
const GUARDIAN = `
const decoder = new TextDecoder();
let line = "";
let isReported = false;
const memory = await new Promise((resolve) => {
  self.onmessage = ({ data }) => resolve(data);
});
const state = new Int32Array(memory, 0, ${PIPE_HEAD_BYTES} / 4);
const data = new Uint8Array(memory, ${PIPE_HEAD_BYTES});
async function give(chunk) {
  for (let at = 0; at < chunk.length; at += data.length) {
    const piece = chunk.subarray(at, at + data.length);
    while (Atomics.load(state, ${PIPE_STATE.at}) !== ${PIPE_STATE.free}) {
      const { async: isLater, value } = Atomics.waitAsync(
        state,
        ${PIPE_STATE.at},
        ${PIPE_STATE.full},
      );
      if (isLater) await value;
    }
    data.set(piece);
    Atomics.store(state, ${PIPE_LENGTH_AT}, piece.length);
    Atomics.store(state, ${PIPE_STATE.at}, ${PIPE_STATE.full});
    Atomics.notify(state, ${PIPE_STATE.at});
  }
}
for await (const chunk of Deno.stdin.readable) {
  if (isReported) {
    await give(chunk);
    continue;
  }
  line += decoder.decode(chunk, { stream: true });
  const end = line.indexOf("\\n");
  if (end < 0) continue;
  isReported = true;
  self.postMessage({ token: line.slice(0, end) });
}
try {
  Deno.kill(Deno.pid, "SIGKILL");
} catch {
  try {
    globalThis.process.abort();
  } catch {
    self.postMessage({ closed: true });
  }
}
`;

/**
 * Starts the thread, with the memory of its pipe; resolves to the token. Where the process may not kill itself (Deno before
 * 2.9), `abort` ends it; newer versions refuse `abort` in a thread. If both fail, the
 * process ends as soon as the main thread is free.
 */
export function startGuardian(memory: SharedArrayBuffer = createPipeMemory()): Promise<string> {
  const url = `data:text/javascript,${encodeURIComponent(GUARDIAN)}`;
  const worker = new Worker(url, { type: "module" });
  worker.postMessage(memory);
  const { exit } = Deno; // the seal removes it before the pipe closes
  return new Promise((resolve) => {
    worker.onmessage = (event: MessageEvent<{ readonly token?: string }>) => {
      const { token } = event.data;
      if (token === undefined) exit(1);
      else resolve(token);
    };
  });
}
