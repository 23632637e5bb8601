// Reads a JSON list of expressions from standard input, evaluates them in Node, and writes
// their outcomes as JSON.
import fs from "node:fs";
import module from "node:module";
import process from "node:process";
import { outcomes } from "./outcomes.mjs";

globalThis.require = module.createRequire(import.meta.url);
const sources = JSON.parse(fs.readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(await outcomes(sources)));
