/**
 * Links side modules (Emscripten's shared libraries) into the module that would load them: one
 * module with one memory and one function table, and nothing to load at run time.
 * README.md shows its use.
 *
 * @module
 */
export { link, type LinkedModule, type LinkedSide } from "./link.ts";
export { LinkError } from "./link_error.ts";
export type { PlacementLimits } from "./placement.ts";
export type { Aliases } from "./symbols.ts";
export type { SideModule } from "./side_module.ts";
