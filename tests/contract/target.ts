/**
 * The service of the contract tests: one at `CONTRACT_URL`, or one made in this process.
 *
 * The tests see nothing but answers to requests. A service behind a URL has to run with its
 * default limits; `CONTRACT_TOKEN` is sent along when it is set.
 *
 * @module
 */
import { echoRuntime } from "../gateway/echo_runtime.ts";
import { testGateway } from "../gateway/test_gateway.ts";
import { type Call, inForms } from "./forms.ts";

/** The service under test. Its runs are made in all forms. */
export function contractTarget(): Call {
  const url = Deno.env.get("CONTRACT_URL");
  return inForms(url === undefined ? inProcess() : remote(url, Deno.env.get("CONTRACT_TOKEN")));
}

function inProcess(): Call {
  const handler = testGateway({ runtimes: new Map([["javascript", echoRuntime("javascript")]]) });
  return (path, init) => handler(new Request(`http://localhost:8000${path}`, init));
}

function remote(url: string, token: string | undefined): Call {
  const { origin } = new URL(url);
  return (path, init) => {
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    return fetch(`${origin}${path}`, { ...init, headers });
  };
}
