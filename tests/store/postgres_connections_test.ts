// test: slow
import { assertEquals } from "@std/assert";
import { readAddress } from "../../store/postgres/address.ts";
import { Connections } from "../../store/postgres/connections.ts";
import { PostgresServer, postgresTest } from "../support/postgres.ts";

postgresTest("postgres: statements wait for a connection as long as others take", async () => {
  await using server = await PostgresServer.start({ fsync: "off" });
  const connections = await Connections.open(readAddress(server.url({ pool: "1" })));
  try {
    // together they take longer than a connection may take to open
    const statement = { text: "SELECT 1 FROM pg_sleep(0.8)" };
    const all = await Promise.all(Array.from({ length: 8 }, () => connections.query(statement)));
    assertEquals(all, Array.from({ length: 8 }, () => [["1"]]));
  } finally {
    await connections.close();
  }
});
