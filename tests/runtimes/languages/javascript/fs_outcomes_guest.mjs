// Runs the cases in the guest, and prints the outcomes.
import { outcomes } from "./fs_outcomes.mjs";

const told = JSON.stringify(await outcomes(globalThis.require("fs"), "/workspace"));
globalThis.process.stdout.write(told);
