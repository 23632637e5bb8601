// test: long
import { testAllReplays } from "./all_replays.ts";

testAllReplays("javascript");
