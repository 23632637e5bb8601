// test: long
/** The scenarios of `scenarios.json` with the clients of JavaScript and Python, on a real service. */
import { assertEquals } from "@std/assert";
import { connect } from "../../../client/mod.ts";
import { startService } from "../../support/service.ts";
import { clientTest, PYTHON } from "../../support/test_clients.ts";
import { run } from "../deno_command.ts";
import { runScenario } from "./javascript_driver.ts";
import { SCENARIOS } from "./scenario.ts";

const TOKEN = "a-token-of-the-tests";
const ENVIRONMENT = { TOKENS: `tenant:${TOKEN}`, LANGUAGES: "javascript,python" };
const PACKAGE = new URL("../../../clients/python/", import.meta.url).pathname;
const DRIVER = new URL("python_driver.py", import.meta.url).pathname;

Deno.test("scenarios: the JavaScript client passes each", async (test) => {
  await using service = await startService(ENVIRONMENT);
  const env = connect(service.url, { token: TOKEN });
  for (const scenario of SCENARIOS) {
    await test.step(scenario.name, () => runScenario(env, scenario));
  }
});

clientTest("scenarios: the Python client passes each", "Python packages", async (test) => {
  await using service = await startService(ENVIRONMENT);
  for (const which of ["blocking", "asynchronous"]) {
    await test.step(which, async () => {
      const program = [PYTHON, DRIVER, service.url, TOKEN, which];
      const { code, output } = await run("env", `PYTHONPATH=${PACKAGE}`, ...program);
      assertEquals(code, 0, output);
      assertEquals(JSON.parse(output), { ran: SCENARIOS.length, failed: [] });
    });
  }
});
