/**
 * The thread that watches standard input: it hands the first line, the token, to the program
 * and ends the process when the parent closes the pipe or dies, even while the main thread
 * is deep in a guest.
 *
 * @module
 */

/** Runs in a worker made from its source text, so it refers to nothing outside its body. */
const GUARDIAN = `
const decoder = new TextDecoder();
let line = "";
let isReported = false;
for await (const chunk of Deno.stdin.readable) {
  if (isReported) continue;
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
 * Starts the thread; resolves to the token. Where the process may not kill itself (Deno before
 * 2.9), `abort` ends it; newer versions refuse `abort` in a thread. If both fail, the
 * process ends as soon as the main thread is free.
 */
export function startGuardian(): Promise<string> {
  const url = `data:text/javascript,${encodeURIComponent(GUARDIAN)}`;
  const worker = new Worker(url, { type: "module" });
  const { exit } = Deno; // the seal removes it before the pipe closes
  return new Promise((resolve) => {
    worker.onmessage = (event: MessageEvent<{ readonly token?: string }>) => {
      const { token } = event.data;
      if (token === undefined) exit(1);
      else resolve(token);
    };
  });
}
