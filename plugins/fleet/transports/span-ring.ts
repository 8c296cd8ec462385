/** A bounded queue that drops its oldest item to take a new one. */
export class SpanRing<Item> {
  readonly #slots: (Item | undefined)[];
  #first = 0;
  #size = 0;

  /** @param capacity - at least 1 */
  constructor(readonly capacity: number) {
    this.#slots = new Array<Item | undefined>(capacity).fill(undefined);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item. @returns whether the oldest one was dropped */
  push(item: Item): boolean {
    const full = this.#size === this.capacity;
    this.#slots[(this.#first + this.#size) % this.capacity] = item;
    if (full) this.#first = (this.#first + 1) % this.capacity;
    else this.#size++;
    return full;
  }

  /** Removes the oldest item. @returns whether there was one */
  dropOldest(): boolean {
    if (this.#size === 0) return false;
    this.#take();
    return true;
  }

  /** Takes up to `max` items out, oldest first. */
  drain(max: number): Item[] {
    const items: Item[] = [];
    while (items.length < max && this.#size > 0) items.push(this.#take());
    return items;
  }

  #take(): Item {
    const item = this.#slots[this.#first] as Item;
    this.#slots[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.capacity;
    this.#size--;
    return item;
  }
}
