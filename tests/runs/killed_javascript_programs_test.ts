// test: long
import { testKilledPrograms } from "./killed_programs.ts";

testKilledPrograms("javascript");
