import type { ColumnTarget, Part, PartKey } from '../plan/parts.js';
import type { DialectCapabilities } from '../dialect/capabilities.js';
import type { ModelInfo } from '../model/model-info.js';
import type { Operator } from './operators.js';

/** A condition as a plain value (SPEC "ORM values"). `column` is a column's name, or `alias.column` of a join. */
export interface Predicate {
  /** Not needed for OpRaw. */
  readonly column?: string;
  readonly op: Operator;
  /** A scalar, a list for OpIn and OpNotIn, two elements for OpBetween, SQL text for OpRaw; nothing for the null tests. */
  readonly value?: unknown;
}

/** What the shape of a query is written to. */
export interface PartSink {
  readonly model: ModelInfo;
  readonly capabilities: DialectCapabilities;
  /** One more part of the structure. */
  part(key: PartKey, part: Part): void;
  /** One more value of the last part. */
  value(value: unknown): void;
}

/**
 * A condition made by an accessor, a combinator or `raw`. Immutable; may be used in any number of queries. No base class, because V8
 * inlines only constructors without one into long queries.
 */
export interface Expression<out Reads = unknown> {
  /** Exists only in types: the columns that it reads. */
  readonly reads?: Reads;
  /** Writes structure and values. */
  appendTo(sink: PartSink): void;
}

/** Whether a condition is no plain value. */
export function isExpression(condition: unknown): condition is Expression {
  return typeof (condition as Expression | null | undefined)?.appendTo === 'function';
}

/** What `where` and the combinators take. */
export type Condition<Reads = unknown> = Predicate | Expression<Reads>;

/** Resolves a plain column name against a model: `name`, or `qualifier.name`. */
export function namedTarget(model: ModelInfo, name: string): ColumnTarget {
  const dot = typeof name === 'string' && model.find(name) === undefined ? name.lastIndexOf('.') : -1;
  if (dot < 0) {
    const info = model.column(name);
    return { name: info.name, info };
  }
  const qualifier = name.slice(0, dot);
  const info = qualifier === model.table ? model.column(name.slice(dot + 1)) : undefined;
  return info ? { name: info.name, info } : { name: name.slice(dot + 1), qualifier };
}
