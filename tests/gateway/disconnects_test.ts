import { assert, assertEquals } from "@std/assert";
import { canReadPeers, peerKey, readPeers } from "../../gateway/disconnects.ts";
import { until } from "../support/wait.ts";

/** Listeners, and the address by which a caller reaches each. */
const PLACES = [
  ["127.0.0.1", "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["::1", "::1"],
  ["::", "::1"],
  ["::", "127.0.0.1"], // which is ::ffff:127.0.0.1 there
] as const;

/** Whether a listed caller is this one. */
async function isListed(listener: Deno.Listener, connection: Deno.TcpConn): Promise<boolean> {
  const key = peerKey(connection.remoteAddr);
  assert(key !== undefined, connection.remoteAddr.hostname);
  return (await readPeers(listener.addr as Deno.NetAddr)).has(key);
}

for (const [listening, calling] of PLACES) {
  Deno.test({
    name: `peers: a caller of ${listening} by ${calling} is listed until it closes one half`,
    ignore: !await canReadPeers(listening),
    fn: async () => {
      using listener = Deno.listen({ hostname: listening, port: 0 });
      const { port } = listener.addr;
      using caller = await Deno.connect({ hostname: calling, port });
      using connection = await listener.accept();
      assert(await isListed(listener, connection));
      assertEquals((await readPeers(listener.addr)).size, 1);
      await caller.closeWrite();
      await until(async () => !await isListed(listener, connection));
      assertEquals((await readPeers(listener.addr)).size, 0);
    },
  });
}

Deno.test({
  name: "peers: a caller that closed its connection is not listed, others are",
  ignore: !await canReadPeers("127.0.0.1"),
  fn: async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    const callers = await Promise.all(
      Array.from({ length: 5 }, () => Deno.connect({ hostname: "127.0.0.1", port })),
    );
    const accepted = await Promise.all(callers.map(() => listener.accept()));
    callers[2]?.close();
    await until(async () => (await readPeers(listener.addr)).size === 4);
    const gone = callers[2]?.localAddr.port;
    for (const connection of accepted) {
      assertEquals(await isListed(listener, connection), connection.remoteAddr.port !== gone);
      connection.close();
    }
    for (const caller of callers) if (caller !== callers[2]) caller.close();
  },
});

Deno.test("peers: Linux shows them to a service with all permissions", async () => {
  assertEquals(await canReadPeers("127.0.0.1"), Deno.build.os === "linux");
});

Deno.test("peers: an address has the form of the tables, however it is written", () => {
  const keyOf = (hostname: string) => peerKey({ hostname, port: 80 });
  assertEquals(keyOf("1.2.3.4"), "04030201:0050");
  for (const mapped of ["::ffff:1.2.3.4", "::FFFF:102:304", "0:0:0:0:0:ffff:1.2.3.4"]) {
    assertEquals(keyOf(mapped), "04030201:0050", mapped);
  }
  for (const same of ["::1", "0:0:0:0:0:0:0:1", "0::0:1"]) {
    assertEquals(keyOf(same), "00000000000000000000000001000000:0050", same);
  }
  for (const same of ["fe80::1%eth0", "fe80:0:0:0:0:0:0:1"]) {
    assertEquals(keyOf(same), "000080FE000000000000000001000000:0050", same);
  }
  for (const none of ["", "localhost", "1.2.3", "1:2:3:4:5:6:7:8:9", "::1.2.3"]) {
    assertEquals(keyOf(none), undefined, none);
  }
});
