import { assertEquals } from "@std/assert";
import { mayNameUrl, parseAllowedHost } from "../../outgoing/allowed_hosts.ts";
import { readConfig } from "../../service/config.ts";
import { BUNDLED_LANGUAGES } from "../../shared/languages.ts";
import { NOT_PUBLIC_HOSTS } from "./refused_addresses.ts";

const FACTS = { available: BUNDLED_LANGUAGES, cores: 2 };

/** The URLs of a list that the hosts of a variable allow. */
function allowed(variable: string, urls: string): string[] {
  const { notifyHosts } = readConfig({ NOTIFY_HOSTS: variable }, FACTS);
  return urls.split(" ").filter((url) => mayNameUrl(new URL(url), notifyHosts));
}

Deno.test("mayNameUrl() allows names on the list, on all ports or on one", () => {
  const urls = "https://a.test/x https://A.test:8443/ https://b.test/ https://b.test:8443/ " +
    "https://x.a.test/ https://a.test.b.test/ https://a/ https://c.test/";
  assertEquals(allowed("a.test, b.test:8443", urls), [
    "https://a.test/x",
    "https://A.test:8443/",
    "https://b.test:8443/",
  ]);
  assertEquals(
    allowed("bücher.test", "https://xn--bcher-kva.test/ https://BÜCHER.test/").length,
    2,
  );
});

Deno.test("mayNameUrl() allows http for addresses on the list, and for names that may have one", () => {
  assertEquals(allowed("a.test", "http://a.test/"), []);
  const urls =
    "http://a.test/ http://10.1.2.3/ https://10.1.2.3/ http://10.2.0.1/ https://8.8.8.8/";
  const listed = ["http://a.test/", "http://10.1.2.3/", "https://10.1.2.3/"];
  assertEquals(allowed("a.test,10.1.0.0/16", urls), listed);
  const ports =
    "http://127.0.0.1:9001/ http://127.0.0.1:9002/ http://127.1:9001/ http://[::1]:9001/";
  assertEquals(allowed("127.0.0.1:9001", ports).length, 2);
});

Deno.test("mayNameUrl() allows no private host that is not on the list", () => {
  const hosts = [parseAllowedHost("a.test") ?? [], parseAllowedHost("192.0.2.77") ?? []].flat();
  const urls = NOT_PUBLIC_HOSTS.flatMap((host) => [`https://${host}/`, `http://${host}/`]);
  assertEquals(urls.filter((url) => mayNameUrl(new URL(url), hosts)), []);
  for (const url of ["ftp://a.test/", "https://u@a.test/", "data:,a.test"]) {
    assertEquals(mayNameUrl(new URL(url), hosts), false);
  }
});

Deno.test("parseAllowedHost() returns undefined for damaged entries", () => {
  const damaged = ["", "*", "*.a.test", "a.test:0", "a.test:65536", "a.test/x", "https://a.test"];
  const more = ["u@a.test", "a b", "127.1", "0x7f.1", "10.0.0.0/33", "a.test:", "a.test?x", "[::1"];
  const entries = [...damaged, ...more];
  assertEquals(entries.filter((entry) => parseAllowedHost(entry) !== undefined), []);
});
