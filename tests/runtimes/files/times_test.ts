/** The times of directories that no guest changed are those of the run that reads them. */
import { assertEquals } from "@std/assert";
import type { GuestFileSystem } from "../../../runtimes/files/guest_file_system.ts";
import { createGuestFileSystem } from "../../../runtimes/files/memory_file_system.ts";
import { put } from "./support.ts";

const MADE = 500;

/** A file system whose clock the test sets. */
function filesWithClock(): {
  readonly files: GuestFileSystem;
  readonly at: (ms: number) => void;
} {
  let now = MADE;
  const files = createGuestFileSystem({ now: () => now, streams: { output: () => undefined } });
  return { files, at: (ms) => void (now = ms) };
}

function timesOf(files: GuestFileSystem, ...paths: string[]): number[] {
  return paths.map((path) => files.stat(path).mtimeMs);
}

Deno.test("times: entries that a fresh run finds are as old as the run, whenever the previous run ended", () => {
  for (const endedAt of [2_000, 2_777]) {
    const { files, at } = filesWithClock();
    at(1_000);
    files.beginRun();
    assertEquals(timesOf(files, "/workspace", "/tmp"), [1_000, 1_000]);
    at(1_500);
    put(files, "/tmp/f", "x");
    at(endedAt);
    files.reset();
    assertEquals(timesOf(files, "/workspace", "/tmp"), [MADE, MADE]);
    at(9_000);
    files.beginRun();
    assertEquals(timesOf(files, "/workspace", "/tmp"), [9_000, 9_000]);
  }
});

Deno.test("times: read-only entries are as old as the file system, in every run", () => {
  const { files, at } = filesWithClock();
  for (const run of [1_000, 2_000]) {
    at(run);
    files.beginRun();
    assertEquals(timesOf(files, "/", "/dev", "/dev/null", "/dev/stdin"), [MADE, MADE, MADE, MADE]);
    files.reset();
  }
});

Deno.test("times: a guest's own changes keep their times until the run ends", () => {
  const { files, at } = filesWithClock();
  at(1_000);
  files.beginRun();
  files.setTime("/tmp", 7);
  at(1_200);
  files.makeDirectory("d");
  assertEquals(timesOf(files, "/workspace", "/workspace/d", "/tmp"), [1_200, 1_200, 7]);
});

Deno.test("times: directories created between runs are as old as the next run", () => {
  const { files, at } = filesWithClock();
  at(3_000);
  files.reset();
  files.importWorkspace([
    { kind: "file", path: "/workspace/made/f", mtimeMs: 77, bytes: new Uint8Array() },
  ]);
  files.makeDirectory("/workspace/made/empty");
  at(4_000);
  files.beginRun();
  assertEquals(
    timesOf(files, "/workspace", "/workspace/made", "/workspace/made/empty", "/workspace/made/f"),
    [4_000, 4_000, 4_000, 77],
  );
});

Deno.test("times: a context's own directories keep their times, its fresh /tmp does not", () => {
  const { files, at } = filesWithClock();
  at(1_000);
  files.beginRun();
  at(1_100);
  files.makeDirectory("d");
  put(files, "/tmp/f", "x");
  at(1_900);
  files.endRun();
  at(5_000);
  files.beginRun();
  assertEquals(timesOf(files, "/workspace", "/workspace/d", "/tmp"), [1_100, 1_100, 5_000]);
});

Deno.test("times: the beginning of a run does not change the workspace", () => {
  const { files, at } = filesWithClock();
  files.reset();
  files.makeDirectory("d");
  const mark = files.mark();
  at(8_000);
  files.beginRun();
  assertEquals(files.changesSince(mark), { created: [], updated: [], deleted: [] });
});
