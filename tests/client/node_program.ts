/**
 * The conformance suite as a program for Node. Its arguments are the URL of a service, a token,
 * and `all` for the cases that any service passes, `engines` for those that need real ones, or
 * `both`. Prints how many cases ran and which failed; ends with 1 when any did.
 */
import process from "node:process";
import { connect } from "../../client/mod.ts";
import { ALL_CASES } from "./conformance/all_cases.ts";
import { ENGINE_CASES } from "./conformance/engine_cases.ts";

const [, , url = "", token, which] = process.argv;
const cases = [
  ...(which === "engines" ? [] : ALL_CASES),
  ...(which === "all" ? [] : ENGINE_CASES),
];
const failed: string[] = [];
for (const { name, run } of cases) {
  try {
    await run(connect(url, { token }));
  } catch (error) {
    failed.push(`${name}: ${error}`);
  }
}
process.stdout.write(`${JSON.stringify({ ran: cases.length, failed })}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
