/** `/home/user` in runs that have it: a symbolic link to the workspace. */
import { assertEquals } from "@std/assert";
import { createGuestFileSystem } from "../../../runtimes/files/memory_file_system.ts";
import { put } from "./support.ts";

Deno.test("link: /home/user is a link in a run that has it, and nothing else is one", () => {
  const files = createGuestFileSystem({ now: () => 0, streams: { output: () => undefined } });
  put(files, "/workspace/d", "x");
  const isLink = (path: string) => files.link(path) !== undefined;
  assertEquals(isLink("/home/user"), false);
  const before = files.work;
  files.link("/workspace/d");
  assertEquals(files.work, before, "a look costs nothing where there is no link");

  files.beginRun(undefined, true);
  const home = files.directory("/home");
  assertEquals(files.link("/home/user")?.target, "/workspace");
  assertEquals(files.link("user", home)?.target, "/workspace");
  assertEquals(files.link("/home/user")?.stat.mode, 0o120777);
  assertEquals(files.stat("/home/user").kind, "directory");
  for (const path of ["/home", "/home/user/", "/home/other", "/home/user/d", "/workspace", "/"]) {
    assertEquals(isLink(path), false, path);
  }
  assertEquals(files.stat("/home/user/d").size, 1);

  files.beginRun();
  assertEquals(isLink("/home/user"), false);
});
