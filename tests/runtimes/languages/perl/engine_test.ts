/**
 * Short tests that need the Perl engine, in one module graph, so that the engine is made once.
 *
 * @module
 */
import "./values_cases.ts";
import "./displays_cases.ts";
import "./errors_cases.ts";
import "./context_errors_cases.ts";
import "./context_tests_cases.ts";
import "./surroundings_cases.ts";
import "./linux_cases.ts";
import "./signals_cases.ts";
import "./zones_cases.ts";
import "./names_cases.ts";
import "./host_functions_cases.ts";
import "./calls_cases.ts";
