import { singleOf } from '../expression/conditions.js';
import type { PartSink } from '../expression/expression.js';
import type { Part, PartKey } from '../plan/parts.js';
import type { Shape } from '../plan/shape.js';

/** Collects the output of an expression: parts in a shape, values in a list. */
export class ShapeSink implements PartSink {
  readonly #values: unknown[] = [];

  constructor(
    public shape: Shape,
    readonly capabilities: PartSink['capabilities'],
  ) {}

  get model() {
    return this.shape.model;
  }

  part(key: PartKey, part: Part): void {
    this.shape = this.shape.then(key, part);
  }

  value(value: unknown): void {
    this.#values.push(value);
  }

  single(): unknown {
    return singleOf(this.#values);
  }
}
