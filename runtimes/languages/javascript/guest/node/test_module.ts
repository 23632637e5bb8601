/**
 * `node:test`: tests run one after the other, and are reported when the program ends. Timeouts,
 * concurrency and `only` are ignored.
 *
 * @module
 */
import { setName } from "../web/expose.ts";
import { MockTracker } from "./test_mock.ts";
import { count, type Counts, hasFailed, reportLines } from "./test_report.ts";
import {
  type HookName,
  isSet,
  runNode,
  type TestFunction,
  TestNode,
  type TestOptions,
} from "./test_tree.ts";

/** The part of the environment that the module needs. */
export interface TestDependencies {
  write(text: string): void;
  /** Sets a function that runs once, when the program has nothing left to do. */
  atEnd(action: () => void): void;
  /** Makes the run end as a failure. */
  fail(): void;
  /** The position of the guest's current call. */
  place(): string;
}

const HOOKS = ["before", "after", "beforeEach", "afterEach"] as const;

interface Arguments {
  readonly name: string;
  readonly options: TestOptions;
  readonly fn: TestFunction | undefined;
}

/** Arguments are a name, options and a function; each is optional. */
function readArguments(args: readonly unknown[]): Arguments {
  const fn = args.find((one) => typeof one === "function") as TestFunction | undefined;
  const options = args.find((one) => typeof one === "object" && one !== null);
  const [first] = args;
  const name = typeof first === "string" ? first : fn?.name || "<anonymous>";
  return { name, options: { ...options }, fn };
}

class Runner {
  readonly mock = new MockTracker();
  readonly #needs: TestDependencies;
  #root = new TestNode("", undefined, true, "", undefined, {});
  /** The suite whose function is running. */
  #suite = this.#root;
  #hasBegun = false;

  constructor(needs: TestDependencies) {
    this.#needs = needs;
  }

  add(args: readonly unknown[], isSuite: boolean, more: TestOptions): Promise<void> {
    const parent = this.#suite;
    const node = this.#node(parent, args, isSuite, more);
    if (isSuite && node.fn !== undefined && !isSet(node.skip)) this.#collect(node, node.fn);
    if (parent !== this.#root) return Promise.resolve();
    this.#begin();
    const number = parent.children.length;
    return this.#enqueue(parent, node, () => this.#report(node, number));
  }

  addHook(name: HookName, hook: unknown): void {
    if (typeof hook === "function") this.#suite.hooks[name].push(hook as TestFunction);
  }

  #node(
    parent: TestNode,
    args: readonly unknown[],
    isSuite: boolean,
    more: TestOptions,
  ): TestNode {
    const { name, options, fn } = readArguments(args);
    const place = this.#needs.place();
    const node = new TestNode(name, parent, isSuite, place, fn, { ...options, ...more });
    parent.children.push(node);
    return node;
  }

  /** The tests of a suite are the ones that its function adds. */
  #collect(node: TestNode, fn: TestFunction): void {
    const outer = this.#suite;
    this.#suite = node;
    try {
      fn(this.#contextOf(node));
    } catch (error) {
      node.fail(error);
    } finally {
      this.#suite = outer;
    }
  }

  #enqueue(parent: TestNode, node: TestNode, then: () => void): Promise<void> {
    parent.pending = parent.pending.then(async () => {
      await runNode(node, (one) => this.#contextOf(one));
      then();
    });
    return parent.pending;
  }

  #report(node: TestNode, number: number): void {
    this.#needs.write(reportLines(node, number).join("\n") + "\n");
    if (hasFailed(node) && !isSet(node.todo)) this.#needs.fail();
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const started = performance.now();
    this.#needs.write("TAP version 13\n");
    this.#root.pending = this.#root.pending.then(() => this.#runRootHooks("before"));
    this.#needs.atEnd(() => {
      const end = () => this.#end(performance.now() - started);
      if (this.#root.hooks.after.length === 0) end();
      else void this.#runRootHooks("after").then(end, end);
    });
  }

  async #runRootHooks(name: HookName): Promise<void> {
    for (const hook of this.#root.hooks[name]) await hook();
  }

  /** Starts afresh: the next tests belong to another program. */
  #end(durationMs: number): void {
    const { children } = this.#root;
    const counts: Counts = {
      ...{ tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 },
    };
    for (const child of children) count(child, counts);
    const lines = [
      `1..${children.length}`,
      ...Object.entries(counts).map(([name, value]) => `# ${name} ${value}`),
      `# duration_ms ${Number(durationMs.toFixed(6))}`,
    ];
    this.#needs.write(lines.join("\n") + "\n");
    this.#root = new TestNode("", undefined, true, "", undefined, {});
    this.#suite = this.#root;
    this.#hasBegun = false;
  }

  /** The argument of a test function. */
  #contextOf(node: TestNode): object {
    const hooks = Object.fromEntries(HOOKS.map((name) => [
      name,
      (hook: TestFunction) => void node.hooks[name].push(hook),
    ]));
    return {
      name: node.name,
      mock: this.mock,
      signal: new AbortController().signal,
      diagnostic: (text: unknown) => void node.diagnostics.push(`${text}`),
      skip: (why: unknown = true) => void (node.skip = why),
      todo: (why: unknown = true) => void (node.todo = why),
      test: (...args: readonly unknown[]) =>
        this.#enqueue(node, this.#node(node, args, false, {}), () => {}),
      ...hooks,
    };
  }
}

type Adder = (...args: readonly unknown[]) => Promise<void>;

/** A function that adds tests, with its variants as properties. */
function adder(runner: Runner, isSuite: boolean, name: string): Adder {
  const variant = (more: TestOptions): Adder => (...args) => runner.add(args, isSuite, more);
  const add = Object.assign(variant({}), {
    skip: variant({ skip: true }),
    todo: variant({ todo: true }),
    only: variant({}),
  });
  setName(add, name);
  return add;
}

/** Makes the module: the function `test`, with the others as properties. */
export function createTestModule(needs: TestDependencies): Adder {
  const runner = new Runner(needs);
  const test = adder(runner, false, "test");
  const describe = adder(runner, true, "suite");
  const hooks = Object.fromEntries(HOOKS.map((name) => [
    name,
    (hook: unknown) => runner.addHook(name, hook),
  ]));
  const it = adder(runner, false, "it");
  return Object.assign(test, { test, it, describe, suite: describe, mock: runner.mock, ...hooks });
}
