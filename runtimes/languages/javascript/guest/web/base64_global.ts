/**
 * Defines `atob` when this module loads, because the URL parser unpacks its table of domain names
 * with it while loading. Import it before that parser. It is the only module in this folder with a
 * side effect on import.
 *
 * @module
 */
import { captureGlobals } from "../../host/captured_globals.ts";
import { atob } from "./base64.ts";
import { defineGlobal } from "./expose.ts";

defineGlobal("atob", atob);
captureGlobals();
