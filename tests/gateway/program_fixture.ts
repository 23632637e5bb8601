/**
 * The program over an echo runtime, run by `program_test.ts` as a separate process. A run whose
 * code is `hang` lasts until it is cancelled.
 *
 * @module
 */
import type { ExecuteRequest } from "../../client/protocol/types.ts";
import { runProgram } from "../../service/program.ts";
import type { RunCaller } from "../../shared/binding.ts";
import { echoRuntime } from "./echo_runtime.ts";

await runProgram({
  args: Deno.args,
  env: Deno.env.toObject(),
  available: ["javascript"],
  buildEngines: ({ cacheDir, languages }) => {
    Deno.stdout.writeSync(new TextEncoder().encode(`${cacheDir} ${languages.join()}\n`));
    return Promise.resolve();
  },
  createRuntimes: ({ languages, log }) => {
    const before = async ({ signal }: RunCaller, { code }: ExecuteRequest) => {
      if (code !== "hang") return;
      log("info", "hanging");
      await new Promise<void>((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    };
    const runtimes = languages.map((language) => {
      const runtime = echoRuntime(language, { before });
      const close = () => {
        log("info", "runtime closed");
        return Promise.resolve();
      };
      return [language, { ...runtime, close }] as const;
    });
    return Promise.resolve(new Map(runtimes));
  },
});
