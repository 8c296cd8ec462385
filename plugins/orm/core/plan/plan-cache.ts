import type { BoundedMapStats } from '../../../../kernel/bounded/index.js';
import type { Plan } from './plan.js';
import type { PlanKind, Shape } from './shape.js';

/**
 * Bounds the compiled plans of a database (SPEC "Limits": 2000). Plans hang on their shapes; this keeps the list, counts, and
 * takes the least recently used eighth down when it is full, so that a use costs one number.
 */
export class PlanCache {
  #plans: Plan[] = [];
  #tick = 0;
  #hits = 0;
  #misses = 0;
  #evicted = 0;

  constructor(private readonly capacity: number) {}

  /** The plan of a shape, when it is there. */
  get(shape: Shape, kind: PlanKind): Plan | undefined {
    const plan = shape.plans[kind];
    if (plan === undefined) return undefined;
    plan.used = ++this.#tick;
    this.#hits++;
    return plan;
  }

  /** Counts a compile. */
  missed(): void {
    this.#misses++;
  }

  /** Keeps a plan on its shape. */
  put(shape: Shape, kind: PlanKind, plan: Plan): void {
    if (this.#plans.length >= this.capacity) this.#evict();
    plan.used = ++this.#tick;
    shape.plans[kind] = plan;
    this.#plans.push(plan);
  }

  /** Forgets every plan; shapes that are dropped as a whole take theirs along. */
  clear(): void {
    this.#evicted += this.#plans.length;
    for (const plan of this.#plans) drop(plan);
    this.#plans = [];
  }

  stats(): BoundedMapStats {
    const { capacity } = this;
    return { size: this.#plans.length, capacity, hits: this.#hits, misses: this.#misses, evicted: this.#evicted };
  }

  #evict(): void {
    const byUse = [...this.#plans].sort((a, b) => a.used - b.used);
    const leaving = byUse.slice(0, Math.max(1, Math.floor(this.capacity / 8)));
    for (const plan of leaving) drop(plan);
    this.#evicted += leaving.length;
    this.#plans = byUse.slice(leaving.length);
  }
}

function drop({ home }: Plan): void {
  if (home) delete home.shape.plans[home.kind];
}
