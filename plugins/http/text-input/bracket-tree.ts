/** Values of names with brackets for one property, before the schema decides whether it is a list or an object: `a[0]=x` may be either. */
export class BracketTree {
  readonly #values: unknown[];
  readonly #members = new Map<string, BracketTree>();

  /** @param values - values of the name without brackets */
  constructor(values: readonly unknown[] = []) {
    this.#values = [...values];
  }

  /** Puts values at the place that the keys between the brackets give. */
  plant(keys: readonly string[], values: readonly unknown[]): void {
    const [key, ...inner] = keys;
    if (key === undefined) {
      // One by one, because there may be more than a call takes as arguments.
      for (const value of values) this.#values.push(value);
      return;
    }
    const member = this.#members.get(key) ?? new BracketTree();
    this.#members.set(key, member);
    member.plant(inner, values);
  }

  /** As a list: values without a key first, then those with numbers by their numbers, then others. */
  asList(): unknown[] {
    const rank = (key: string) => (key === '' ? -1 : INDEX.test(key) ? Number(key) : Infinity);
    const members = [...this.#members].sort(([a], [b]) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
    // Members whose keys are no numbers form one element of the list together.
    const numbered = members.filter(([key]) => rank(key) < Infinity).flatMap(([, member]) => member.#elements());
    const named = members.filter(([key]) => rank(key) === Infinity).map(([key, member]) => [key, member.#leaf()]);
    return [...this.#values, ...numbered, ...(named.length > 0 ? [Object.fromEntries(named)] : [])];
  }

  /** As an object; as a list if there are values without a key, which an object cannot have. */
  asObject(): unknown {
    if (this.#values.length > 0 || this.#members.has('')) return this.asList();
    return Object.fromEntries([...this.#members].map(([key, member]) => [key, member.#leaf()]));
  }

  /** As a list or an object according to the keys, if no schema decides. */
  settled(): unknown {
    const isNumbered = [...this.#members.keys()].every((key) => key === '' || INDEX.test(key));
    return settled(isNumbered ? this.asList() : this.asObject());
  }

  #elements(): readonly unknown[] {
    return this.#members.size === 0 ? this.#values : [this];
  }

  #leaf(): unknown {
    if (this.#members.size > 0) return this;
    return this.#values.length === 1 ? this.#values[0] : this.#values;
  }
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** A copy of a value in which no trees are left. */
export function settled(value: unknown): unknown {
  if (value instanceof BracketTree) return value.settled();
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settled(member)]));
}
