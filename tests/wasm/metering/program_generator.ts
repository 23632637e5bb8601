import { buildModule, type FunctionSpec, I32, leb, sleb, vector } from "./module_builder.ts";

/** A branch to `value` would carry one. */
type Label = "loop" | "block" | "value";

const FUNCTIONS = 5;
/** Functions from this index on are only called directly. */
const FIRST_DIRECT = 3;
const LOCALS = 4;
/** Index of the global that bounds the work of a program. */
const BUDGET = 0;
const EMPTY = 0x40;

/**
 * Makes a valid module of functions `f0`… of two i32 parameters, that branch, loop, call one another, use bulk
 * memory and end after a while. With `exceptions`, they also throw and catch (the first proposal).
 */
export function randomProgram(
  random: (below: number) => number,
  exceptions: boolean,
): Uint8Array<ArrayBuffer> {
  const functions: FunctionSpec[] = Array.from({ length: FUNCTIONS }, (_, index) => ({
    name: `f${index}`,
    exported: index < FIRST_DIRECT,
    parameters: [I32, I32],
    results: [I32],
    locals: [I32, I32],
    body: new BodyWriter(random, exceptions).write(),
  }));
  const table = vector([[0x70, 0, FIRST_DIRECT]]);
  const elements = Array.from({ length: FIRST_DIRECT }, (_, index) => leb(index));
  return buildModule({
    functions,
    memory: [0, 1],
    globals: [60, 65_536],
    raw: new Map([
      [4, table],
      [9, vector([[0, 0x41, 0, 0x0b, ...vector(elements)]])],
      // A tag without values: its type is added after those of the functions.
      ...(exceptions
        ? [[1, typesWithTag()] as const, [13, vector([[0, FUNCTIONS]])] as const]
        : []),
    ]),
  });
}

function typesWithTag(): number[] {
  const type = [0x60, 2, I32, I32, 1, I32];
  return vector([...Array.from({ length: FUNCTIONS }, () => type), [0x60, 0, 0]]);
}

class BodyWriter {
  readonly #random: (below: number) => number;
  readonly #exceptions: boolean;
  readonly #out: number[] = [];
  /** Kinds of the open constructs, outermost first. */
  readonly #labels: Label[] = [];
  #left = 40;

  constructor(random: (below: number) => number, exceptions: boolean) {
    this.#random = random;
    this.#exceptions = exceptions;
  }

  write(): number[] {
    this.#statements(3);
    this.#expression(2);
    return this.#out;
  }

  #statements(depth: number): void {
    for (let count = 1 + this.#random(4); count > 0 && this.#left > 0; count--) {
      this.#left--;
      this.#statement(depth);
    }
  }

  #statement(depth: number): void {
    const choice = this.#random(this.#exceptions ? 14 : 12);
    if (depth > 0 && choice < 2) return this.#if(depth);
    if (depth > 0 && choice < 4) return this.#block(depth);
    if (depth > 0 && choice < 6) return this.#loop(depth);
    if (choice < 7) return this.#branch();
    if (choice < 8) return this.#table();
    if (choice < 10) return this.#call();
    if (choice < 11) return this.#bulk();
    if (choice === 12 && depth > 0) return this.#try(depth);
    if (choice === 13) return this.#guarded(() => this.#put(0x08, 0));
    this.#expression(2);
    this.#put(0x21, this.#random(LOCALS));
  }

  #if(depth: number): void {
    this.#expression(2);
    this.#put(0x04, EMPTY);
    this.#nest("block", () => {
      this.#statements(depth - 1);
      if (this.#random(2) === 0) {
        this.#put(0x05);
        this.#statements(depth - 1);
      }
    });
  }

  #block(depth: number): void {
    const withValue = this.#random(3) === 0;
    this.#put(0x02, withValue ? I32 : EMPTY);
    if (withValue) {
      // Branches inside would need the value: none may go to this label.
      this.#nest("value", () => {
        this.#left--;
        this.#expression(2);
      });
      this.#put(0x21, this.#random(LOCALS));
    } else {
      this.#nest("block", () => this.#statements(depth - 1));
    }
  }

  #loop(depth: number): void {
    this.#put(0x03, EMPTY);
    this.#nest("loop", () => {
      this.#statements(depth - 1);
      this.#spendBudget();
      this.#put(0x0d, 0);
    });
  }

  #nest(kind: Label, write: () => void): void {
    this.#labels.push(kind);
    write();
    this.#labels.pop();
    this.#put(0x0b);
  }

  /** Subtracts one from the budget and leaves on the stack whether any is left. */
  #spendBudget(): void {
    this.#put(0x23, BUDGET, 0x41, 1, 0x6b, 0x24, BUDGET, 0x23, BUDGET, 0x41, 0, 0x4a);
  }

  /** Writes instructions that run only while the budget lasts. */
  #guarded(write: () => void): void {
    this.#spendBudget();
    this.#put(0x04, EMPTY);
    this.#nest("block", write);
  }

  /** Labels of blocks, counted from the innermost. */
  #forwardLabels(): number[] {
    return this.#labelsOf("block");
  }

  #labelsOf(...kinds: readonly Label[]): number[] {
    return [...this.#labels].reverse().flatMap((kind, label) =>
      kinds.includes(kind) ? [label] : []
    );
  }

  #branch(): void {
    const labels = this.#forwardLabels();
    const label = labels[this.#random(labels.length + 1)];
    if (label === undefined) {
      if (this.#random(4) > 0) return;
      this.#expression(1);
      this.#put(0x0f);
    } else if (this.#random(3) === 0) {
      this.#put(0x0c, label);
    } else {
      this.#expression(1);
      this.#put(0x0d, label);
    }
  }

  #table(): void {
    if (this.#random(2) === 0) this.#tableOf(this.#forwardLabels());
    else this.#guarded(() => this.#tableOf(this.#labelsOf("block", "loop", "loop")));
  }

  #tableOf(labels: readonly number[]): void {
    if (labels.length === 0) return;
    const chosen = Array.from(
      { length: 1 + this.#random(4) },
      () => labels[this.#random(labels.length)] ?? 0,
    );
    this.#expression(1);
    this.#put(0x0e, ...vector(chosen.map((label) => [label])), labels[0] ?? 0);
  }

  #call(): void {
    this.#guarded(() => {
      this.#expression(1);
      this.#expression(1);
      if (this.#random(3) === 0) {
        this.#put(0x41, this.#random(FIRST_DIRECT), 0x11, this.#random(FUNCTIONS), 0);
      } else {
        this.#put(0x10, this.#random(FUNCTIONS));
      }
      this.#put(0x21, this.#random(LOCALS));
    });
  }

  #bulk(): void {
    const bytes = [0x41, ...sleb(this.#random(300))];
    if (this.#random(2) === 0) this.#put(0x41, 8, 0x41, 5, ...bytes, 0xfc, 11, 0);
    else this.#put(0x41, 0, 0x41, 8, ...bytes, 0xfc, 10, 0, 0);
  }

  #try(depth: number): void {
    this.#put(0x06, EMPTY);
    this.#nest("block", () => {
      this.#statements(depth - 1);
      this.#put(...(this.#random(2) === 0 ? [0x07, 0] : [0x19]));
      this.#statements(depth - 1);
    });
  }

  #expression(depth: number): void {
    const choice = this.#random(depth > 0 ? 6 : 2);
    if (choice === 0) this.#put(0x41, ...sleb(this.#random(200) - 100));
    else if (choice === 1) this.#put(0x20, this.#random(LOCALS));
    else if (choice === 2) {
      this.#expression(depth - 1);
      this.#put(0x45);
    } else if (choice === 3) {
      this.#expression(depth - 1);
      this.#expression(depth - 1);
      this.#expression(depth - 1);
      this.#put(0x1b);
    } else {
      this.#expression(depth - 1);
      this.#expression(depth - 1);
      this.#put([0x6a, 0x6b, 0x6c, 0x71, 0x73, 0x48][this.#random(6)] ?? 0x6a);
    }
  }

  #put(...bytes: readonly number[]): void {
    for (const byte of bytes) this.#out.push(byte);
  }
}

/** Prints the seed of a run to the tests' output. */
export function printSeed(seed: number): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`seed ${seed}\n`));
}
