// Calls of `fs` whose outcomes must be the same in Node and in the guest. Each case gets the
// module and runs in the directory that the ones before it left; `/` means nothing there.
import { asynchronousCases } from "./fs_cases_asynchronous.mjs";
import { contentCases } from "./fs_cases_content.mjs";
import { descriptorCases } from "./fs_cases_descriptors.mjs";
import { plain } from "./fs_cases_support.mjs";
import { treeCases } from "./fs_cases_tree.mjs";

const cases = [...contentCases, ...treeCases, ...descriptorCases, ...asynchronousCases];

/** Outcomes of all cases, in order, with the working directory `cwd` called `/workspace`. */
export async function outcomes(fs, cwd) {
  const results = [];
  for (const [name, run] of cases) {
    let result;
    try {
      result = plain(await run(fs));
    } catch (error) {
      result = plain(error);
    }
    const text = JSON.stringify([name, result]).replaceAll(cwd, "/workspace");
    results.push(JSON.parse(text));
  }
  return results;
}
