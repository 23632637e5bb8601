/**
 * Makes the pictures of the page in `docs/`: `deno task page:pictures [folder]`.
 *
 * @module
 */
import type { Browser, Page } from "playwright-core";
import type { Exercise } from "../../page/exercise.ts";
import { exerciseLink } from "../../page/link.ts";
import { startProgram } from "../support/program.ts";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { ending, launch, write } from "./browser.ts";

const [folder = new URL("../../docs/pictures", import.meta.url).pathname] = Deno.args;
const WIDE = { width: 1280, height: 760 };
const PHONE = { width: 390, height: 780 };

interface Picture {
  readonly name: string;
  readonly path?: string;
  readonly size?: { readonly width: number; readonly height: number };
  readonly dark?: boolean;
  readonly show: (page: Page) => Promise<void>;
}

const EXERCISE: Exercise = {
  title: "The sum of a list",
  task: "Write `total(numbers)`, which adds the **positive** numbers of a list.\n\n" +
    "- an empty list gives `0`\n- the list stays as it is\n\n```\n>>> total([1, -2, 3])\n4\n```",
  language: "python",
  code: "def total(numbers):\n    return sum(numbers)\n",
  tests: [
    { name: "adds", hidden: false, stdin: "", code: "assert total([1, 2]) == 3" },
    {
      name: "leaves negative numbers out",
      hidden: false,
      stdin: "",
      code: "assert total([1, -2]) == 1",
    },
    { name: "a long list", hidden: true, stdin: "", code: "assert total(range(1000)) == 499500" },
  ],
};

const PICTURES: readonly Picture[] = [
  {
    name: "page",
    show: async (page) => {
      await runExample(page, "A limit that nothing catches");
      await runExample(page, "A figure");
    },
  },
  {
    name: "page-sandbox",
    path: "/#sandbox=ada",
    dark: true,
    show: async (page) => {
      await page.getByRole("button", { name: "New context of Python" }).click();
      await page.locator(".pane").waitFor();
      const code = "from datetime import date\n\nstart = date(2026, 1, 1)\n" +
        "with open('days.csv', 'w') as days:\n    for n in range(30):\n        print(n, 7 * n % 30, sep=',', file=days)\n" +
        "print('written by Python,', start:=start.isoformat())\nlen(open('days.csv').readlines())";
      await write(page, code, 0);
      await page.keyboard.press("Control+Enter");
      await page.locator(".run[data-state=ok]").waitFor();
      await page.getByRole("button", { name: "New context of JavaScript" }).click();
      await page.locator(".pane").nth(1).waitFor();
      const second = "import { readFileSync } from 'node:fs';\n\n" +
        "const rows: string[] = readFileSync('days.csv', 'utf8').trim().split('\\n');\n" +
        "console.log('read by JavaScript:', rows.length, 'rows');\n" +
        "rows.slice(0, 4).map((row) => row.split(',').map(Number))";
      await write(page, second, 1);
      await page.keyboard.press("Control+Enter");
      await page.locator(".run[data-state=ok]").nth(1).waitFor();
      await page.getByRole("button", { name: "Open days.csv" }).waitFor();
      await page.getByLabel("Name of the checkpoint").fill("both have run");
      await page.getByRole("button", { name: "Keep", exact: true }).click();
      await page.getByRole("button", { name: "Restore both have run" }).waitFor();
    },
  },
  {
    name: "page-exercise",
    path: `/${new URL(await exerciseLink("http://page/", EXERCISE)).hash}`,
    show: async (page) => {
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.locator(".check-summary[data-state]").waitFor();
    },
  },
  { name: "page-phone", size: PHONE, show: (page) => runExample(page, "An error at its line") },
];

async function runExample(page: Page, title: string): Promise<void> {
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("button", { name: title }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await ending(page);
}

async function take(browser: Browser, url: string, picture: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: picture.size ?? WIDE,
    colorScheme: picture.dark === true ? "dark" : "light",
  });
  const page = await context.newPage();
  await page.goto(url + (picture.path ?? "/"));
  await picture.show(page);
  await page.waitForTimeout(500); // for images and frames
  await page.screenshot({ path: `${folder}/${picture.name}.png` });
  await context.close();
}

if (import.meta.main) {
  await Deno.mkdir(folder, { recursive: true });
  // at the service's own limits, which the pictures show
  await using service = await startProgram({ env: SERVICE_LIMITS });
  const browser = await launch();
  for (const picture of PICTURES) await take(browser, service.url, picture);
  await browser.close();
}
