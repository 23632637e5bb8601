// test: long
/**
 * Crafted files for the libraries of the data set: each program ends with an error, at a limit, or with
 * the value of an honest one, and never breaks the interpreter. Takes the wheels of `TEST_WHEELS`.
 */
import { builtWithWheels, hasWheel, wheelSettings } from "../support/native_wheels.ts";
import { attack } from "./attack.ts";
import { FORMATS } from "./python/format_cases.ts";

/** Room for the imports of large packages. */
const FUEL = "60000000000";

const CASES = FORMATS.filter(({ wheels }) => wheels.every(hasWheel)).flatMap(({ cases }) => cases);

Deno.test({
  name: `hostile files: ${CASES.length} cases end as expected, and the next run is correct`,
  ignore: CASES.length === 0,
  fn: async (t) => {
    await builtWithWheels();
    await attack(t, "python", CASES, { ...wheelSettings(), FUEL_PYTHON: FUEL });
  },
});
