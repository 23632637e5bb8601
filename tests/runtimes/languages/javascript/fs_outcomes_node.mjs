// Runs the cases in Node, in the directory given as the argument, and prints the outcomes.
import fs from "node:fs";
import process from "node:process";
import { outcomes } from "./fs_outcomes.mjs";

process.umask(0o022);
process.chdir(process.argv[2]);
process.stdout.write(JSON.stringify(await outcomes(fs, process.cwd())));
