/**
 * The page in a browser: bytes that are sent, first contentful paint, and the time from the
 * navigation to the result of the program that it begins with. On a service that has just started
 * and nobody asked yet, and on the same one again. Needs chromium.
 *
 * `deno run --allow-all bench/page.ts [rounds]`
 *
 * @module
 */
import type { Browser } from "playwright-core";
import { launch } from "../tests/page/browser.ts";
import { startService } from "../tests/support/service.ts";
import { quantile, table } from "./stats.ts";

/** What one visit costs. */
interface Visit {
  readonly bytes: number;
  readonly paint: number;
  readonly result: number;
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  let bytes = 0;
  page.on("response", async (response) => {
    const { responseBodySize } = await response.request().sizes();
    if (response.request().method() === "GET") bytes += responseBodySize;
  });
  await page.goto(url);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".run[data-state=ok]").waitFor();
  const [paint, result] = await page.evaluate<[number, number]>(
    "[performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]",
  );
  await context.close();
  return { bytes, paint, result };
}

async function main(rounds: number): Promise<string> {
  const browser = await launch();
  const visits = { "just started": [] as Visit[], "again": [] as Visit[] };
  for (let round = 0; round < rounds; round++) {
    await using service = await startService();
    visits["just started"].push(await visit(browser, service.url));
    visits.again.push(await visit(browser, service.url));
  }
  await browser.close();
  const half = (sample: readonly number[]) => quantile(sample, 0.5).toFixed(0);
  return table(
    ["service", "sent, KB", "first contentful paint, ms", "first result, ms"],
    Object.entries(visits).map(([name, all]) => [
      name,
      half(all.map(({ bytes }) => bytes / 1000)),
      half(all.map(({ paint }) => paint)),
      half(all.map(({ result }) => result)),
    ]),
  );
}

if (import.meta.main) {
  const load = Deno.loadavg().map((value) => value.toFixed(1)).join(" ");
  const text = await main(Number(Deno.args[0] ?? 5));
  Deno.stdout.writeSync(
    new TextEncoder().encode(`Load ${load}, Deno ${Deno.version.deno}\n\n${text}\n`),
  );
}
