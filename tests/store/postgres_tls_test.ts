// test: slow
/** Connections to PostgreSQL by TLS: which servers and clients are trusted (docs/postgres.md). */
import { assertEquals, assertRejects } from "@std/assert";
import { openStore } from "../../store/open.ts";
import { makeAuthority } from "../support/certificates.ts";
import { PostgresServer, postgresTest } from "../support/postgres.ts";

/** Writes a file that only the owner of the server may read. */
async function writeFor(server: PostgresServer, name: string, text: string): Promise<string> {
  const path = `${server.folder}/${name}`;
  const { uid } = await Deno.stat(server.data);
  await Deno.writeTextFile(path, text, { mode: 0o600 });
  await Deno.chown(path, uid, null);
  return path;
}

postgresTest(
  "postgres: TLS trusts the authority and the name of the URL, and nothing else",
  async (test) => {
    await using server = await PostgresServer.start();
    await using authority = await makeAuthority("authority");
    await using stranger = await makeAuthority("stranger");
    const own = await authority.issue("server", "IP:127.0.0.1");
    const elsewhere = await authority.issue("elsewhere", "DNS:elsewhere.example");
    const client = await authority.issue("belljar", "DNS:client.example");
    const foreign = await stranger.issue("belljar", "DNS:client.example");

    const serve = async (certificate: typeof own, access: string) => {
      await server.stop("fast");
      const rules = await Deno.readTextFile(`${server.data}/pg_hba.conf`);
      const others = rules.split("\n").filter((line) => !line.startsWith("host"));
      const hosts = `${access}\n`;
      await Deno.writeTextFile(`${server.data}/pg_hba.conf`, `${hosts}${others.join("\n")}`);
      await server.begin({
        ssl: "on",
        ssl_cert_file: await writeFor(server, "server.pem", certificate.text),
        ssl_key_file: await writeFor(server, "server.key", certificate.keyText),
        ssl_ca_file: await writeFor(server, "authority.pem", authority.text),
      });
    };
    const url = (parameters: Record<string, string>) =>
      server.url({ pool: "2", sslmode: "verify-full", sslrootcert: authority.path, ...parameters });
    const works = async (address: string) => {
      const store = await openStore(address);
      try {
        await store.set(["a"], address.length);
        assertEquals((await store.get(["a"])).value, address.length);
      } finally {
        store.close();
      }
    };
    const refused = async (address: string, message: RegExp) => {
      const { message: text } = await assertRejects(() => openStore(address), Error);
      assertEquals([text, message.test(text)], [text, true]);
    };
    const ANYBODY = "hostssl all all 127.0.0.1/32 trust";

    await test.step("a server without TLS is refused", async () => {
      await refused(url({}), /does not support SSL/);
    });
    await serve(own, ANYBODY);
    await test.step("the right authority and name", () => works(url({})));
    await test.step("another authority", async () => {
      await refused(url({ sslrootcert: stranger.path }), /certificate|issuer/i);
    });
    await test.step("the system's authorities do not know it", async () => {
      const address = new URL(url({}));
      address.searchParams.delete("sslrootcert");
      await refused(address.href, /certificate|issuer/i);
    });
    await test.step("a file of authorities that is not there", async () => {
      await refused(url({ sslrootcert: "/nowhere/a.pem" }), /^sslrootcert cannot be read$/);
    });
    await test.step("a server that wants TLS refuses a connection in clear text", async () => {
      await refused(server.url({ pool: "1" }), /no encryption/);
    });
    await serve(elsewhere, ANYBODY);
    await test.step("a certificate for another name", async () => {
      await refused(url({}), /name|altnames|valid for/i);
    });
    await serve(own, "hostssl all all 127.0.0.1/32 cert");
    await test.step("a client with its certificate, with a strange one, and without", async () => {
      await works(url({ sslcert: client.path, sslkey: client.keyPath }));
      await refused(url({ sslcert: foreign.path, sslkey: foreign.keyPath }), /./);
      await refused(url({}), /certificate/);
    });
  },
);
