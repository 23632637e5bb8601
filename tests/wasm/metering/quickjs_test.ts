// test: slow
import { assert, assertEquals } from "@std/assert";
import { meterModule } from "../../../wasm/metering/meter.ts";
import { quickJsModule } from "./quickjs_module.ts";
import { binaryenAccepts } from "./wat.ts";

Deno.test("quickjs: the metered module is valid for Binaryen and the engine, padded or not", async () => {
  const source = await quickJsModule();
  for (
    const options of [
      {},
      { mergeMax: 0 },
      { maximumPages: 1024, stackPadding: { global: "auto" } } as const,
    ]
  ) {
    const { bytes, stats } = meterModule(source, options);
    assert(WebAssembly.validate(bytes));
    assert(binaryenAccepts(bytes));
    assertEquals(stats.exports, ["__fuel"]);
    assertEquals(stats.functions, 1698);
    assertEquals(stats.loops, 1278);
    assert(stats.chargePoints > stats.checks && stats.checks > stats.loops);
    assert(stats.bytes < source.length * 1.4, `${stats.bytes} bytes`);
  }
});

Deno.test("quickjs: metering the same module gives the same bytes", async () => {
  const source = await quickJsModule();
  const options = { maximumPages: 1024, stackPadding: { global: "auto" } } as const;
  assertEquals(meterModule(source, options).bytes, meterModule(source.slice(), options).bytes);
});
