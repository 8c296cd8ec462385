/** A ring buffer of the newest items; older ones are dropped and counted. */
export class Ring<Item> {
  readonly #items: (Item | undefined)[];
  #next = 0;
  #added = 0;

  constructor(readonly capacity: number) {
    this.#items = new Array<Item | undefined>(capacity);
  }

  /** How many items are held. */
  get size(): number {
    return Math.min(this.#added, this.capacity);
  }

  /** Number of dropped items. */
  get dropped(): number {
    return this.#added - this.size;
  }

  push(item: Item): void {
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.capacity;
    this.#added++;
  }

  /** Items that fit, newest first. */
  newest(limit: number, fits: (item: Item) => boolean = () => true): Item[] {
    const found: Item[] = [];
    for (let age = 1; age <= this.size && found.length < limit; age++) {
      const item = this.#items[(this.#next - age + this.capacity) % this.capacity] as Item;
      if (fits(item)) found.push(item);
    }
    return found;
  }
}
