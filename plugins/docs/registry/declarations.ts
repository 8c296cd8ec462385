import type { HttpMethod, RouteDoc } from '../../../kernel/index.js';

/** What one call of `doc` said. */
export interface Declaration {
  method: HttpMethod;
  /** As given to `doc`; the route's own pattern once a router took the wrapper. */
  path: string;
  readonly doc: RouteDoc;
  /** Whether a router took the wrapper, so that the application's route list carries it. */
  attached: boolean;
}

/** Whether calls of `doc` are recorded. Undecided is how a process begins: calls are kept until the decision. */
export type Collection = 'undecided' | 'on' | 'off';

// Far above any real service; a `doc` call inside a handler must not fill the memory.
const MAX_DECLARATIONS = 20_000;

/**
 * The calls of `doc` in this process. Route modules may load before or after the configuration is read: what they say while
 * collection is undecided is kept, and dropped when the decision is "off", so their order never matters.
 */
export class Declarations {
  readonly #list = new Set<Declaration>();
  #collection: Collection = 'undecided';
  #dropped = 0;

  get collection(): Collection {
    return this.#collection;
  }

  /** How many calls were not recorded because there were too many. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Switches recording on or off. Off forgets what was recorded. */
  decide(collection: 'on' | 'off'): void {
    this.#collection = collection;
    if (collection === 'off') this.#list.clear();
  }

  add(declaration: Declaration): void {
    if (this.#collection === 'off') return;
    if (this.#list.size >= MAX_DECLARATIONS) this.#dropped++;
    else this.#list.add(declaration);
  }

  /** Everything recorded, in the order of the calls; nothing unless collection is on. */
  all(): readonly Declaration[] {
    return this.#collection === 'on' ? [...this.#list] : [];
  }
}

/** The declarations of this process. */
export const declarations = new Declarations();
