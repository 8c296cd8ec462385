import type { ModelInfo } from '../model/model-info.js';
import type { Part, PartKey } from './parts.js';
import type { Plan } from './plan.js';

/** Kinds of operations that run a query; each has its own plan per shape. */
export type PlanKind =
  'find' | 'first' | 'only' | 'count' | 'exists' | 'update' | 'delete' | 'updateReturning' | 'deleteReturning';

/**
 * Structure of a query without its values: a node of a trie whose edges are {@link Part}s. Equal structures reach the same
 * node, so a plan is found by walking, without writing a key (SPEC "Limits": equal shapes share a plan).
 */
export class Shape {
  /** Filled by the plan cache. */
  readonly plans: { [Kind in PlanKind]?: Plan } = {};
  /** Running first compilations, so that concurrent calls share one. */
  readonly compiling = new Map<PlanKind, Promise<Plan>>();
  #next: Map<PartKey, Shape> | undefined;
  /** How often the tries had been dropped when `#next` began. */
  #age = 0;
  /** Cache of the last step: queries from one place in the code mostly take the same steps. */
  #lastKey: PartKey | undefined;
  #last: Shape | undefined;

  constructor(
    readonly forest: ShapeForest,
    readonly model: ModelInfo,
    readonly parent: Shape | undefined,
    readonly part: Part | undefined,
    /** Values of the query up to here. */
    readonly values: number,
  ) {}

  /** The shape that one more part leads to. */
  then(key: PartKey, part: Part): Shape {
    if (key === this.#lastKey) return this.#last as Shape;
    const shape = this.#next?.get(key) ?? this.#grow(key, part);
    this.#lastKey = key;
    this.#last = shape;
    return shape;
  }

  #grow(key: PartKey, part: Part): Shape {
    const made = new Shape(this.forest, this.model, this, part, this.values + part.values);
    const { age } = this.forest;
    // A query that is held for good, as by a module, would keep all that has ever followed it.
    if (this.#next === undefined || this.#age !== age) this.#next = new Map();
    this.#age = age;
    this.#next.set(key, made);
    this.forest.grew();
    return made;
  }

  /** Parts from the root to here. */
  parts(): Part[] {
    const parts: Part[] = [];
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- a walk along the chain
    for (let at: Shape | undefined = this; at?.part !== undefined; at = at.parent) parts.push(at.part);
    return parts.reverse();
  }
}

/**
 * The tries of one database, one per model. Bounded: past `mostNodes` shapes all tries start anew. Queries that hold an old
 * shape keep working; only the sharing with new ones is lost.
 */
export class ShapeForest {
  #roots = new Map<ModelInfo, Shape>();
  #nodes = 0;
  #resets = 0;

  constructor(
    private readonly mostNodes: number,
    private readonly onReset: () => void,
  ) {}

  /** How often the tries were dropped. */
  get age(): number {
    return this.#resets;
  }

  /** Shape of a query on a model that says nothing else. */
  root(model: ModelInfo): Shape {
    const found = this.#roots.get(model);
    if (found !== undefined) return found;
    const made = new Shape(this, model, undefined, undefined, 0);
    this.#roots.set(model, made);
    return made;
  }

  /** Called by a shape when it grows a branch. */
  grew(): void {
    if (++this.#nodes <= this.mostNodes) return;
    this.#nodes = 0;
    this.#resets++;
    this.#roots = new Map();
    this.onReset();
  }

  /** Shapes alive, and how often the tries were dropped. */
  stats(): { readonly shapes: number; readonly resets: number } {
    return { shapes: this.#nodes, resets: this.#resets };
  }
}
