/**
 * One client of a soak: it does one thing after the other to a service, and knows what each
 * answer must be. Where an answer was lost, a run may have happened or not; what is seen next
 * tells which.
 */
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import { PROGRAMS } from "./programs.ts";
import type { Tally } from "./tally.ts";

/** The parts of an answer that are checked. */
interface Answer {
  readonly results?: readonly { readonly text?: string; readonly json?: unknown }[];
  readonly logs?: { readonly stdout: readonly string[] };
  readonly error?: { readonly name: string; readonly message: string };
  readonly context?: { readonly rolledBack?: boolean };
  readonly content?: string;
  readonly code?: string;
}

/** The contents of a sandbox, as far as its client can know. */
interface Box {
  readonly name: string;
  readonly language: Language;
  /** Values that `n` may have; empty: no context yet. */
  possible: ReadonlySet<number>;
}

type Activity = () => Promise<void>;

/** One of the clients. */
export class Actor {
  readonly #url: string;
  readonly #below: (end: number) => number;
  readonly #tally: Tally;
  readonly #boxes: Box[];
  #made = 0;

  constructor(name: string, url: string, below: (end: number) => number, tally: Tally) {
    this.#url = url;
    this.#below = below;
    this.#tally = tally;
    const languages = LANGUAGES.filter((id) => PROGRAMS[id].context !== undefined);
    this.#boxes = languages.map((language) => ({
      name: `${name}-${language}`,
      language,
      possible: new Set(),
    }));
  }

  /** Does things until the time is over. */
  async work(until: number): Promise<void> {
    const often = (times: number, activity: Activity) => Array<Activity>(times).fill(activity);
    const activities: readonly Activity[] = [
      ...often(24, () => this.#stateless()),
      ...often(4, () => this.#failing()),
      ...often(1, () => this.#endless()),
      ...often(40, () => this.#add()),
      ...often(10, () => this.#copyFile()),
      ...often(3, () => this.#leave()),
      ...often(1, () => this.#addEndless()),
      ...often(1, () => this.#deleteBox()),
    ];
    while (performance.now() < until) {
      const activity = activities[this.#below(activities.length)];
      await activity?.();
    }
  }

  async #stateless(): Promise<void> {
    const language = this.#anyLanguage();
    const numbers = Array.from({ length: 20 }, () => this.#below(1_000_000));
    const word = `w${this.#below(1_000_000)}`;
    const answer = await this.#post(`stateless ${language}`, `/execute/${language}`, {
      code: PROGRAMS[language].stateless(numbers),
      envVars: { WORD: word },
    });
    if (answer === undefined) return;
    const sum = numbers.reduce((a, b) => a + b, 0);
    this.#expect(`stateless ${language}`, [[word], [{ json: { sum } }]], [
      answer.logs?.stdout,
      answer.results,
    ]);
  }

  async #failing(): Promise<void> {
    const language = this.#anyLanguage();
    const message = `m${this.#below(1_000_000)}`;
    const code = PROGRAMS[language].failing(message);
    const answer = await this.#post(`failing ${language}`, `/execute/${language}`, { code });
    if (answer === undefined) return;
    const told = answer.error?.message.trim();
    this.#expect(`failing ${language}`, [message, []], [told, answer.results]);
  }

  async #endless(): Promise<void> {
    const language = this.#anyLanguage();
    const code = PROGRAMS[language].endless;
    const answer = await this.#post(`endless ${language}`, `/execute/${language}`, { code });
    if (answer === undefined) return;
    this.#expect(`endless ${language}`, "ExecutionLimitError", answer.error?.name);
  }

  #anyLanguage(): Language {
    return LANGUAGES[this.#below(LANGUAGES.length)] ?? "javascript";
  }

  /** A context of a box, made if need be; undefined when that failed. */
  async #started(): Promise<Box | undefined> {
    const box = this.#boxes[this.#below(this.#boxes.length)];
    if (box === undefined || box.possible.size > 0) return box;
    const code = PROGRAMS[box.language].context?.start ?? "";
    const answer = await this.#post(`start ${box.language}`, this.#path(box), { code });
    if (answer === undefined) return undefined;
    box.possible = new Set([0]);
    this.#expect(`start ${box.language}`, "0", answer.results?.[0]?.text);
    return box;
  }

  async #add(): Promise<void> {
    const box = await this.#started();
    if (box === undefined) return;
    const amount = 1 + this.#below(1_000);
    const code = PROGRAMS[box.language].context?.add(amount) ?? "";
    const before = box.possible;
    box.possible = new Set([...before].flatMap((n) => [n, n + amount]));
    const answer = await this.#post(`add ${box.language}`, this.#path(box), { code });
    if (answer === undefined) return;
    const after = [...before].map((n) => n + amount);
    const got = Number(answer.results?.[0]?.text ?? NaN);
    if (!after.includes(got)) {
      this.#tally.wrong(`add ${box.language} in ${box.name}`, after, answer);
    }
    box.possible = new Set([got]);
  }

  /** A limit puts everything back. */
  async #addEndless(): Promise<void> {
    const box = await this.#started();
    if (box === undefined) return;
    const code = PROGRAMS[box.language].context?.addEndless(7) ?? "";
    const answer = await this.#post(`limit ${box.language}`, this.#path(box), { code });
    if (answer === undefined) return;
    this.#expect(`limit ${box.language}`, ["ExecutionLimitError", true], [
      answer.error?.name,
      answer.context?.rolledBack,
    ]);
    await this.#look(box);
  }

  async #look(box: Box): Promise<void> {
    const code = PROGRAMS[box.language].context?.value ?? "";
    const answer = await this.#post(`look ${box.language}`, this.#path(box), { code });
    if (answer === undefined) return;
    const got = Number(answer.results?.[0]?.text ?? NaN);
    if (!box.possible.has(got)) {
      this.#tally.wrong(`look ${box.language} in ${box.name}`, [...box.possible], answer);
    }
    box.possible = new Set([got]);
  }

  /** From the outside in, through the guest, and out again. */
  async #copyFile(): Promise<void> {
    const box = await this.#started();
    if (box === undefined) return;
    const text = `${this.#below(1_000_000)} é ${"x".repeat(this.#below(20_000))}`;
    const files = this.#path(box).replace(/execute$/, "files");
    const name = `files ${box.language}`;
    const write = { op: "write", path: "/workspace/in.txt", content: text };
    if (await this.#post(name, files, write) === undefined) return;
    const code = PROGRAMS[box.language].context?.copyFile ?? "";
    const ran = await this.#post(name, this.#path(box), { code });
    if (ran === undefined) return;
    if (ran.error !== undefined) this.#tally.wrong(`${name} in ${box.name}`, "no error", ran.error);
    const read = await this.#post(name, files, { op: "read", path: "/workspace/out.txt" });
    if (read !== undefined) this.#expect(`${name} in ${box.name}`, text, read.content);
  }

  /** A caller who goes away: the run is wholly there or wholly not. */
  async #leave(): Promise<void> {
    const box = await this.#started();
    if (box === undefined) return;
    const code = PROGRAMS[box.language].context?.add(1) ?? "";
    box.possible = new Set([...box.possible].flatMap((n) => [n, n + 1]));
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), this.#below(20));
    await this.#post(`leave ${box.language}`, this.#path(box), { code }, leaving.signal);
    clearTimeout(timer);
    await this.#look(box);
  }

  async #deleteBox(): Promise<void> {
    const index = this.#below(this.#boxes.length);
    const box = this.#boxes[index];
    if (box === undefined) return;
    this.#tally.call("delete a sandbox");
    const path = this.#path(box).replace(/\/execute$/, "");
    const answer = await fetch(`${this.#url}${path}`, { method: "DELETE" });
    const body: Answer = await answer.json();
    if (!answer.ok) this.#tally.error(`${answer.status} ${body.code}`);
    const name = `${box.name.replace(/\.\d+$/, "")}.${++this.#made}`;
    this.#boxes[index] = { name, language: box.language, possible: new Set() };
  }

  #path({ name, language }: Box): string {
    return `/languages/${language}/sandboxes/${name}/execute`;
  }

  #expect(what: string, expected: unknown, got: unknown): void {
    if (JSON.stringify(expected) !== JSON.stringify(got)) this.#tally.wrong(what, expected, got);
  }

  /** Undefined when there was no success. */
  async #post(
    kind: string,
    path: string,
    body: unknown,
    signal?: AbortSignal,
  ): Promise<Answer | undefined> {
    this.#tally.call(kind);
    try {
      const response = await fetch(`${this.#url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
      const answer: Answer = await response.json();
      if (response.ok) return answer;
      this.#tally.error(`${response.status} ${answer.code}`);
    } catch (thrown) {
      if (signal?.aborted !== true) this.#tally.error(`no answer (${thrown})`);
    }
    return undefined;
  }
}
