/**
 * Scratch space for numbers.
 *
 * @module
 */

/**
 * A list of 32-bit integers that keeps its memory when cleared: scratch space for passes run per
 * function.
 */
export class Int32List {
  #values = new Int32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Removes and returns the last value. */
  pop(): number {
    this.#length--;
    return this.at(this.#length);
  }

  toArray(): Int32Array {
    return this.#values.slice(0, this.#length);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Int32Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  add(index: number, amount: number): void {
    this.#values[index] = this.at(index) + amount;
  }
}
