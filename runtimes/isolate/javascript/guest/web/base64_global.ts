/**
 * Defines `atob` when this module is loaded: the URL parser unpacks its table of domain names
 * with it while it loads itself. To be imported before that parser; the one module of the web's
 * interfaces that does something by being imported.
 *
 * @module
 */
import { captureGlobals } from "../../shared/captured_globals.ts";
import { atob } from "./base64.ts";
import { defineGlobal } from "./expose.ts";

defineGlobal("atob", atob);
captureGlobals();
