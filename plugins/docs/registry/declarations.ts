import type { HttpMethod, RouteDoc } from '../../../kernel/index.js';

/** Arguments of one call of `doc`. */
export interface Declaration {
  method: HttpMethod;
  /** As given to `doc`; the route's own pattern once a router took the wrapper. */
  path: string;
  readonly doc: RouteDoc;
  /** Whether a router took the wrapper, so that the application's route list carries it. */
  attached: boolean;
}

/** Arguments of one call of `webhook`. */
interface WebhookDeclaration {
  readonly name: string;
  readonly method: HttpMethod;
  readonly doc: RouteDoc;
}

/** Whether calls of `doc` are recorded. A process begins undecided: calls are recorded until the decision. */
export type Collection = 'undecided' | 'on' | 'off';

// Far above any real service; a `doc` call inside a handler must not fill the memory.
const MAX_DECLARATIONS = 20_000;

/**
 * The calls of `doc` in this process. Route modules may load before or after the configuration: calls are recorded while collection is
 * undecided and dropped when it is switched off, so the order does not matter.
 */
export class Declarations {
  readonly #list = new Set<Declaration>();
  readonly #webhooks: WebhookDeclaration[] = [];
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
    if (collection !== 'off') return;
    this.#list.clear();
    this.#webhooks.length = 0;
  }

  add(declaration: Declaration): void {
    if (this.#collection === 'off') return;
    if (this.#list.size >= MAX_DECLARATIONS) this.#dropped++;
    else this.#list.add(declaration);
  }

  addWebhook(declaration: WebhookDeclaration): void {
    if (this.#collection === 'off') return;
    if (this.#webhooks.length >= MAX_DECLARATIONS) this.#dropped++;
    else this.#webhooks.push(declaration);
  }

  /** Every webhook, in the order of the calls; nothing unless collection is on. */
  webhooks(): readonly WebhookDeclaration[] {
    return this.#collection === 'on' ? this.#webhooks : [];
  }

  /** Everything recorded, in the order of the calls; nothing unless collection is on. */
  all(): readonly Declaration[] {
    return this.#collection === 'on' ? [...this.#list] : [];
  }
}

/** The declarations of this process. */
export const declarations = new Declarations();
