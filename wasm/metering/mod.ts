/**
 * Fuel for any WebAssembly module: rewrites a module so that it counts what it executes and traps
 * when its fuel is used up. Deterministic, in plain TypeScript, without support by an engine.
 * README.md shows its use.
 *
 * @module
 */
export { FUEL_EXPORT, PAGES_EXPORT } from "./added_exports.ts";
export { meterModule } from "./meter.ts";
export type { MeteredModule, MeterOptions, MeterStats } from "./meter.ts";
export type { RewriteCounts } from "./function_rewriter.ts";
export type { StackPadding } from "./stack_padding.ts";
export { MeterError } from "./meter_error.ts";
