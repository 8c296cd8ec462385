/** A queue of work of which a bounded number of items runs at a time. A full queue refuses further items and counts them. */
export class AsyncQueue<Item> {
  readonly #waiting: Item[] = [];
  #head = 0;
  #running = 0;
  #dropped = 0;
  #scheduled = false;
  #idle: (() => void)[] = [];

  /**
   * @param run - must not throw or be rejected; returns undefined for work that ended synchronously
   * @param concurrency - how many items run at a time, and how many are started before the event loop gets to I/O
   */
  constructor(
    private readonly run: (item: Item) => Promise<void> | undefined,
    readonly concurrency: number,
    readonly capacity: number,
  ) {}

  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  get running(): number {
    return this.#running;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** @returns false when the queue is full */
  add(item: Item): boolean {
    if (this.waiting >= this.capacity) {
      this.#dropped++;
      return false;
    }
    this.#waiting.push(item);
    this.#schedule();
    return true;
  }

  /** Resolves when nothing waits or runs. */
  idle(): Promise<void> {
    return this.#isIdle() ? Promise.resolve() : new Promise((done) => this.#idle.push(done));
  }

  #isIdle(): boolean {
    return this.waiting === 0 && this.#running === 0;
  }

  #schedule(): void {
    if (this.#scheduled || this.waiting === 0 || this.#running >= this.concurrency) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    for (let begun = 0; begun < this.concurrency && this.#running < this.concurrency && this.waiting > 0; begun++) {
      const pending = this.run(this.#take());
      if (pending) this.#track(pending);
    }
    this.#afterwards();
  }

  #track(pending: Promise<void>): void {
    this.#running++;
    void pending.then(() => {
      this.#running--;
      this.#afterwards();
    });
  }

  #afterwards(): void {
    this.#schedule();
    if (!this.#isIdle()) return;
    for (const done of this.#idle.splice(0)) done();
  }

  // `Array.shift` moves all elements, so a head index moves instead, and the array is cut now and then.
  #take(): Item {
    const item = this.#waiting[this.#head] as Item;
    this.#waiting[this.#head++] = undefined as Item;
    if (this.#head > 64 && this.#head * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }
}
