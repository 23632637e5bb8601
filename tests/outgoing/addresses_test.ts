import { assertEquals } from "@std/assert";
import {
  type AllowedAddress,
  judgeAddress,
  judgeUrl,
  literalAddress,
  parseAllowedAddress,
} from "../../outgoing/addresses.ts";
import { DAMAGED_ADDRESSES, NOT_PUBLIC_ADDRESSES } from "./refused_addresses.ts";

function allow(...entries: readonly string[]): AllowedAddress[] {
  return entries.flatMap((entry) => parseAllowedAddress(entry) ?? []);
}

function judge(address: string, allowed: readonly AllowedAddress[] = [], port = 443) {
  return judgeAddress({ address, port, isEncrypted: true }, allowed);
}

Deno.test("judgeAddress() refuses all that is not public unicast, in every spelling", () => {
  const refused = [...NOT_PUBLIC_ADDRESSES, ...DAMAGED_ADDRESSES];
  assertEquals(refused.filter((address) => judge(address) !== undefined), []);
});

Deno.test("judgeAddress() gives the plain spelling of a public address", () => {
  const given = ["8.8.8.8", "1.1.1.1", "223.255.255.255", "2606:4700:0::1111", "2a00:1450::8A"];
  const plain = ["8.8.8.8", "1.1.1.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::8a"];
  assertEquals(given.map((address) => judge(address)), plain);
  assertEquals(judge("::ffff:8.8.8.8"), "8.8.8.8");
});

Deno.test("judgeAddress() refuses a public address without TLS", () => {
  const endpoint = { address: "8.8.8.8", port: 80, isEncrypted: false };
  assertEquals(judgeAddress(endpoint, []), undefined);
  assertEquals(judgeAddress(endpoint, allow("8.8.8.8")), "8.8.8.8");
});

Deno.test("judgeAddress() allows addresses that an entry covers, and their neighbours not", () => {
  const cases: readonly (readonly [entry: string, inside: string[], outside: string[]])[] = [
    ["10.1.2.0/24", ["10.1.2.0", "10.1.2.255", "::ffff:10.1.2.3"], ["10.1.3.0", "10.1.1.255"]],
    ["127.0.0.1", ["127.0.0.1", "::ffff:7f00:1"], ["127.0.0.2", "::1", "::7f00:1"]],
    ["fd00::/16", ["fd00::1", "fd00:ffff::1"], ["fd01::1", "fc00::1"]],
    ["[fd00::7]", ["fd00::7", "FD00:0::7"], ["fd00::8"]],
    ["::ffff:10.0.0.1", ["10.0.0.1"], ["10.0.0.2", "::10.0.0.1"]],
    ["64:ff9b::/96", ["64:ff9b::7f00:1"], ["127.0.0.1", "64:ff9b:1::1"]],
  ];
  for (const [entry, inside, outside] of cases) {
    const allowed = allow(entry);
    assertEquals(allowed.length, 1, entry);
    assertEquals(inside.filter((address) => judge(address, allowed) === undefined), [], entry);
    assertEquals(outside.filter((address) => judge(address, allowed) !== undefined), [], entry);
  }
});

Deno.test("judgeAddress() holds an entry with a port to that port", () => {
  const allowed = allow("127.0.0.1:9001", "[fd00::7]:443", "10.0.0.0/8:80", "[fd01::/32]:8080");
  assertEquals(allowed.length, 4);
  const at = (address: string, ...ports: readonly number[]) =>
    ports.map((port) => judge(address, allowed, port) !== undefined);
  assertEquals(at("127.0.0.1", 9001, 9002, 443), [true, false, false]);
  assertEquals(at("fd00::7", 443, 80), [true, false]);
  assertEquals(at("10.9.9.9", 80, 443), [true, false]);
  assertEquals(at("fd01:0:1::1", 8080, 443), [true, false]);
});

Deno.test("parseAllowedAddress() returns undefined for names and damaged entries", () => {
  const damaged = [
    ..."localhost example.com * 10.1 10.1.2 0x7f.0.0.1 010.0.0.1 10.0.0.0/33 10.0.0.0/".split(" "),
    ..."10.0.0.0/08 10.0.0.0/-1 10.0.0.0/8/8 10.0.0.1:0 10.0.0.1:65536 10.0.0.1:080".split(" "),
    ..."10.0.0.1: fd00::/129 [fd00::7 fd00::7] [fd00::7]: [fd00::7]:x [10.0.0.1]:80".split(" "),
    ..."fe80::1%eth0 ::10.0.0.1 ::ffff:10.0.0.0/104 http://10.0.0.1 10.0.0.1,10.0.0.2 [] [::]]"
      .split(" "),
    "",
    " 10.0.0.1",
    "10.0.0.1\n",
    `${"0".repeat(100)}::1`,
  ];
  assertEquals(damaged.filter((entry) => parseAllowedAddress(entry) !== undefined), []);
});

Deno.test("literalAddress() knows each spelling of an address in a URL", () => {
  const hosts = ["127.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1.", "１２７.0.0.1"];
  assertEquals(
    hosts.map((host) => literalAddress(new URL(`https://${host}/`))),
    hosts.map(() => "127.0.0.1"),
  );
  assertEquals(literalAddress(new URL("https://[::FFFF:127.0.0.1]/")), "::ffff:7f00:1");
  assertEquals(literalAddress(new URL("https://localhost/")), undefined);
});

Deno.test("judgeUrl() tells invalid and refused URLs before their names are looked up", () => {
  const allowed = allow("127.0.0.1:9001");
  const judged = (urls: string) =>
    new Set<string>(urls.split(" ").map((url) => judgeUrl(new URL(url), allowed) ?? "fine"));
  const fine = "https://api.test/ http://api.test/ http://127.0.0.1:9001/ https://8.8.8.8:1/";
  assertEquals(judged(fine), new Set(["fine"]));
  const refused = "http://127.0.0.1/ https://127.1:9002/ http://8.8.8.8/ https://[::7f00:1]:9001/";
  assertEquals(judged(refused), new Set(["refused"]));
  const invalid = "https://u@api.test/ https://:p@api.test/ ws://api.test/ file:///etc data:,a";
  assertEquals(judged(invalid), new Set(["invalid"]));
});
