import { assert, assertEquals, assertThrows } from "@std/assert";
// @ts-types="@types/pg"
import pg from "pg";
import { readAddress } from "../../store/postgres/address.ts";
import { failureOf } from "../../store/postgres/failures.ts";
import { StoreFailure } from "../../store/store_failures.ts";

Deno.test("postgres address: a URL has defaults for everything that it does not say", () => {
  assertEquals(readAddress("postgres://"), {
    user: undefined,
    password: undefined,
    host: undefined,
    port: undefined,
    database: undefined,
    tls: undefined,
    schema: "belljar",
    connections: 8,
    prepares: true,
  });
});

Deno.test("postgres address: each part and parameter of a URL is read", () => {
  const text = "postgresql://an%40a:p%3A%2F%25w@[::1]:6432/my%20data?schema=b_2&pool=3&pooler=1" +
    "&sslmode=verify-full&sslrootcert=/etc/ca.pem&sslcert=/c.pem&sslkey=/k.pem";
  assertEquals(readAddress(text), {
    user: "an@a",
    password: "p:/%w",
    host: "::1",
    port: 6432,
    database: "my data",
    tls: { authorities: "/etc/ca.pem", certificate: "/c.pem", key: "/k.pem" },
    schema: "b_2",
    connections: 3,
    prepares: false,
  });
  assertEquals(readAddress("postgres:///b?host=/run/postgresql").host, "/run/postgresql");
});

Deno.test("postgres address: a mistake is named, and the password is not", () => {
  const mistakes = [
    ["postgres://a:s3cret@b:port/c", "not a URL"],
    ["postgres://a:s3cret%@b/c", "the password is not correctly percent-encoded"],
    ["postgres://a:s3cret@b/c?sslmode=require", "sslmode must be disable or verify-full"],
    ["postgres://a:s3cret@b/c?sslrootcert=x", "certificates need sslmode=verify-full"],
    ["postgres://a:s3cret@b/c?pool=0", "pool must be a whole number from 1 to 100"],
    ["postgres://a:s3cret@b/c?pool=101", "pool must be a whole number from 1 to 100"],
    ["postgres://a:s3cret@b/c?schema=A;b", "schema must be a name"],
    ["postgres://a:s3cret@b/c?pooler=yes", "pooler must be 0 or 1"],
    ["postgres://a:s3cret@b/c?shcema=b", 'unknown parameter "shcema"'],
  ] as const;
  for (const [text, message] of mistakes) {
    const error = assertThrows(() => readAddress(text), TypeError, message);
    assert(!error.message.includes("s3cret"), error.message);
  }
});

Deno.test("postgres failures: each has a fate, and a mistake in a statement has none", () => {
  const answered = (code: string) => {
    const error = new pg.DatabaseError("it failed", 0, "error");
    error.code = code;
    return failureOf(error, "unknown");
  };
  const fates = [
    ["40001", "locked"], // a conflict
    ["40P01", "locked"], // a deadlock
    ["53100", "undone"], // no room
    ["53300", "undone"], // no connection left
    ["28P01", "undone"], // a wrong password
    ["25006", "undone"], // a standby
    ["57014", "undone"], // cancelled
    ["57P03", "undone"], // starting
    ["57P01", "unknown"], // shutting down
    ["58030", "unknown"], // a broken disk
    ["XX000", "unknown"],
  ] as const;
  for (const [code, fate] of fates) {
    const failure = answered(code);
    assert(failure instanceof StoreFailure, code);
    assertEquals([code, failure.fate, failure.isFull], [code, fate, code === "53100"]);
  }
  assert(!(answered("42601") instanceof StoreFailure));
  for (const message of ["Query read timeout", "write EPIPE"]) {
    const [sent, unsent] = [failureOf(new Error(message), "unknown"), failureOf(0, "undone")];
    assert(sent instanceof StoreFailure && sent.fate === "unknown");
    assert(unsent instanceof StoreFailure && unsent.fate === "undone");
  }
});
