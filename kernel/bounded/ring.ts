/** A bounded queue of the newest items. The oldest one is dropped, and counted, to take a new one. */
export class Ring<Item> {
  readonly #slots: (Item | undefined)[];
  #first = 0;
  #size = 0;
  #dropped = 0;

  /** @param capacity - how many are kept; 0 keeps none */
  constructor(readonly capacity: number) {
    this.#slots = new Array<Item | undefined>(capacity).fill(undefined);
  }

  /** How many items are held. */
  get size(): number {
    return this.#size;
  }

  /** How many items went because the ring was full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds an item. @returns whether one was dropped */
  push(item: Item): boolean {
    const isFull = this.#size === this.capacity;
    if (isFull) this.#dropped++;
    if (this.capacity === 0) return true;
    this.#slots[(this.#first + this.#size) % this.capacity] = item;
    if (isFull) this.#first = (this.#first + 1) % this.capacity;
    else this.#size++;
    return isFull;
  }

  /** Removes the oldest item. @returns whether there was one */
  dropOldest(): boolean {
    if (this.#size === 0) return false;
    this.#take();
    this.#dropped++;
    return true;
  }

  /** Takes up to `max` items out, oldest first. */
  drain(max: number): Item[] {
    const items: Item[] = [];
    while (items.length < max && this.#size > 0) items.push(this.#take());
    return items;
  }

  /** Items that fit, newest first; they stay. */
  newest(limit = Infinity, fits: (item: Item) => boolean = () => true): Item[] {
    const found: Item[] = [];
    for (let at = this.#size - 1; at >= 0 && found.length < limit; at--) {
      const item = this.#slots[(this.#first + at) % this.capacity] as Item;
      if (fits(item)) found.push(item);
    }
    return found;
  }

  #take(): Item {
    const item = this.#slots[this.#first] as Item;
    this.#slots[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.capacity;
    this.#size--;
    return item;
  }
}
