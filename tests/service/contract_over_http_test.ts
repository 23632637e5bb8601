// test: long
import { assert } from "@std/assert";
import { FORM_NAMES } from "../contract/forms.ts";
import { startService } from "../support/service.ts";

/** Tests that start a service in their own process, unless they are given one. */
const FILES = ["routes_test.ts", "execute_request_test.ts"];

Deno.test("service: the contract of stateless runs holds over HTTP, against real engines, in every form", async () => {
  await using service = await startService();
  const paths = FILES.map((name) => new URL(`../contract/${name}`, import.meta.url).pathname);
  for (const form of FORM_NAMES) {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--allow-all", "--no-check", "--quiet", ...paths],
      env: { CONTRACT_URL: service.url, CONTRACT_FORM: form, NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
    }).output();
    const [told, faults] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    assert(success, `${form}\n${told?.slice(-4_000)}\n${faults?.slice(-4_000)}`);
  }
});
