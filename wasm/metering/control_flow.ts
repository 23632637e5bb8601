/**
 * The control flow of a function body, and its regions.
 *
 * @module
 */
import type { RegionList } from "./regions.ts";
import type { SwitchList } from "./switches.ts";

/** Kinds of constructs that end with `end`. */
export const Construct = {
  function: 0,
  block: 1,
  loop: 2,
  if: 3,
  else: 4,
  try: 5,
} as const;

/**
 * Target of instructions that leave the function without a label: `throw`, `unreachable`, tail
 * calls.
 */
const OUTSIDE = -1;
const NO_SWITCH = -1;
const NOWHERE = 0x7fffffff;

/** Targets of a `br_table` that are the header of a loop. */
export interface TurnArm {
  /** Label of the loop at the `br_table`. */
  readonly label: number;
  /** Region of the code on the way to the header. */
  readonly region: number;
}

interface Frame {
  kind: number;
  /** Region in which the construct begins. */
  region: number;
  /** Outermost depth a branch inside goes to. */
  escape: number;
  /** A branch goes to the label of this construct. */
  targeted: boolean;
  /** Outermost depth a `br_table` inside goes to. */
  switched: number;
  /** Number of the switch that has this construct as a target. */
  switch: number;
  /** An arm before the present one ends by falling through. */
  reached: boolean;
  /** The construct begins in code that cannot run. */
  dead: boolean;
  /** A branch to the construct may carry values. */
  values: boolean;
}

/**
 * Follows the control flow of one function body and determines the region of each instruction.
 *
 * The code after the `end` of a construct runs as often as the code before the construct when
 * nothing inside goes further out, so it continues that region; otherwise it is a child of it.
 */
export class ControlFlow {
  readonly #regions: RegionList;
  readonly #switches: SwitchList;
  readonly #frames: Frame[] = [];
  readonly #catches: boolean;
  #depth = 0;
  /** Region of the next instruction. */
  region = 0;
  /** The next instruction cannot run. */
  dead = false;
  /** The arm of the last `br_table` that leads to the header of a loop. */
  turnArm: TurnArm | undefined;

  /** `catches`: something in the module catches exceptions. */
  constructor(regions: RegionList, switches: SwitchList, catches: boolean) {
    this.#regions = regions;
    this.#switches = switches;
    this.#catches = catches;
  }

  /** Number of constructs open inside the function body. */
  get depth(): number {
    return this.#depth;
  }

  begin(): void {
    this.#depth = -1;
    this.dead = false;
    this.region = this.#regions.addRoot();
    this.open(Construct.function, true);
  }

  charge(units: number): void {
    if (!this.dead) this.#regions.charge(this.region, units);
  }

  /**
   * Opens a construct; for a loop and an `if` the first arm begins a region of its own. `values`:
   * its block type may have parameters.
   */
  open(kind: number, values: boolean): void {
    const frame = this.#push();
    frame.kind = kind;
    frame.region = this.region;
    frame.escape = NOWHERE;
    frame.targeted = false;
    frame.switched = NOWHERE;
    frame.switch = NO_SWITCH;
    frame.reached = false;
    frame.dead = this.dead;
    frame.values = values;
    if (this.dead) return;
    if (kind === Construct.loop) this.region = this.#regions.addRoot();
    else if (kind === Construct.if) {
      this.region = this.#regions.addChild(this.region);
    }
  }

  /** Begins the next arm: `else`, `catch` or `catch_all`. */
  nextArm(kind: number): void {
    const frame = this.#top();
    frame.kind = kind;
    frame.reached ||= !this.dead;
    this.dead = frame.dead;
    if (!this.dead) this.region = this.#regions.addChild(frame.region);
  }

  /**
   * Marks the construct `label` levels further out as a branch target. Returns false if there is
   * none.
   */
  branch(label: number): boolean {
    const target = this.#depth - label;
    const frame = this.#frames[target];
    if (target < 0 || frame === undefined) return false;
    frame.targeted = true;
    const top = this.#top();
    top.escape = Math.min(top.escape, target);
    return true;
  }

  /** Marks the targets of a `br_table`. Returns false if one does not exist. */
  switch(labels: readonly number[]): boolean {
    const top = this.#top();
    const number = this.#addSwitch();
    this.turnArm = undefined;
    for (const label of labels) {
      if (!this.branch(label)) return false;
      const target = this.#depth - label;
      top.switched = Math.min(top.switched, target);
      const frame = this.#frames[target];
      if (frame === undefined || number === NO_SWITCH || frame.switch === number) continue;
      if (this.#isTurn(frame, label)) {
        this.turnArm ??= this.#addTurnArm(number, label);
        continue;
      }
      this.#switches.addTarget(number);
      // A construct can be an arm of one switch only, and a loop begins no arm where it ends; they
      // stay targets without a region.
      if (frame.switch === NO_SWITCH && frame.kind !== Construct.loop) frame.switch = number;
    }
    return true;
  }

  #addSwitch(): number {
    if (this.dead) return NO_SWITCH;
    this.#regions.noteSwitch(this.region);
    // Each call of the function is paid before an exception can leave it, and all else where an
    // exception may be caught.
    const paidBefore = this.#catches || this.region === 0;
    if (paidBefore && this.#regions.mayHaveThrown(this.region)) return NO_SWITCH;
    return this.#switches.add(this.region);
  }

  /** The target is the header of a loop, and the switch has no arm for another loop yet. */
  #isTurn({ kind, values }: Frame, label: number): boolean {
    if (kind !== Construct.loop || values) return false;
    return this.turnArm === undefined || this.turnArm.label === label;
  }

  /** The arm of a target that is a loop: code that is added to the `br_table`. */
  #addTurnArm(number: number, label: number): TurnArm {
    const region = this.#regions.addArm(this.region);
    this.#switches.addTarget(number);
    this.#switches.addArm(number, region);
    return { label, region };
  }

  /** The code after a conditional branch is a region of its own. */
  split(): void {
    if (!this.dead) this.region = this.#regions.addChild(this.region);
  }

  /** The code after a branch cannot run. */
  stop(): void {
    this.dead = true;
  }

  /** A call: an exception may leave the code here. */
  call(): void {
    this.#regions.noteThrow();
    if (!this.dead) this.#regions.noteCall(this.region);
  }

  /** Control leaves the function here. */
  leave(): void {
    this.#regions.noteThrow();
    this.#top().escape = OUTSIDE;
    this.dead = true;
  }

  /** Closes the innermost construct. */
  close(): void {
    const frame = this.#top();
    this.#depth--;
    const outer = this.#top();
    // The code after it belongs to one of many paths if a switch inside goes here or further out.
    const arm = frame.switched <= this.#depth + 1;
    if (frame.switched <= this.#depth) outer.switched = Math.min(outer.switched, frame.switched);
    const escapes = frame.escape <= this.#depth;
    if (escapes) outer.escape = Math.min(outer.escape, frame.escape);
    this.#join(frame, escapes, arm);
  }

  #join(frame: Frame, escapes: boolean, arm: boolean): void {
    if (frame.dead) {
      this.dead = true;
      return;
    }
    const fallsThrough = !this.dead || frame.reached ||
      frame.kind === Construct.if;
    const targeted = frame.targeted && frame.kind !== Construct.loop;
    this.dead = !fallsThrough && !targeted;
    if (this.dead) return;
    // Only falling through leads here: the region at the end of the block continues.
    if (frame.kind === Construct.block && !targeted) return;
    const same = !escapes && frame.kind !== Construct.try;
    if (same) this.region = frame.region;
    else if (arm) this.#beginArm(frame);
    else this.region = this.#regions.addChild(frame.region);
  }

  #beginArm(frame: Frame): void {
    this.region = this.#regions.addArm(frame.region);
    if (frame.switch !== NO_SWITCH) this.#switches.addArm(frame.switch, this.region);
  }

  #push(): Frame {
    this.#depth++;
    let frame = this.#frames[this.#depth];
    if (frame === undefined) {
      frame = {
        kind: 0,
        region: 0,
        escape: NOWHERE,
        targeted: false,
        switched: NOWHERE,
        switch: NO_SWITCH,
        reached: false,
        dead: false,
        values: true,
      };
      this.#frames.push(frame);
    }
    return frame;
  }

  #top(): Frame {
    const frame = this.#frames[this.#depth];
    if (frame === undefined) throw new RangeError("no open construct");
    return frame;
  }
}
