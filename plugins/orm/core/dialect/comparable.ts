import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { endsInEscape } from '../expression/like-pattern.js';
import { formError } from '../plan/form-error.js';
import type { LogicalOrder } from '../plan/logical.js';
import type { ColumnTarget, ValueType } from '../plan/parts.js';
import { typeOfColumn } from '../plan/projection.js';
import type { ColumnKind } from '../model/kinds.js';
import type { Binder } from '../plan/plan.js';

const TEXT_KINDS: ReadonlySet<ColumnKind> = new Set(['string', 'text', 'enum', 'any']);

/**
 * Refuses a pattern for a column that is no text: some databases convert other types to text, others do not.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`
 */
export function assertText({ info }: ColumnTarget, op: 'like' | 'ilike'): void {
  if (info === undefined) return;
  const { model, property, kind, definition } = info;
  if (TEXT_KINDS.has(kind) && !definition.values?.some((value) => typeof value === 'number')) return;
  throw formError(model, `${op} is for text, and "${property}" is of kind ${kind}; use eq, in or between, or raw`);
}

/**
 * Refuses to compare JSON with a value: one database compares the content, others the original text.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`
 */
export function assertComparable({ info }: ColumnTarget): void {
  if (info?.kind !== 'json') return;
  const remedy = 'use isNull, or raw with a function of the database';
  throw formError(
    info.model,
    `"${info.property}" is JSON, of which no comparison means the same everywhere; ${remedy}`,
  );
}

/**
 * Binder of a pattern. One that ends within an escape is an error on some databases and finds nothing on others.
 *
 * @param spelled - the pattern as the database spells it
 */
export function patternBinder(target: ColumnTarget, spelled: (pattern: string) => string): Binder {
  return (value) => {
    if (typeof value === 'string' && !endsInEscape(value)) return spelled(value);
    const { info, name } = target;
    const [expected, got] =
      typeof value === 'string'
        ? ['a pattern with a character behind each \\ (\\\\ is a backslash)', 'one that ends in \\']
        : ['a pattern as text', value === null ? 'null' : typeof value];
    throw fwError(ORM_ERRORS.FW_ORM_VALUE, {
      model: info?.model.name ?? '',
      field: info?.property ?? name,
      expected,
      got,
    });
  };
}

/** Comparisons by an order. */
export const ORDERS: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte']);

/** Type of what a term of an order is of. */
export const typeOfTerm = ({ target, value }: Pick<LogicalOrder, 'target' | 'value'>): ValueType =>
  value?.type ?? typeOfColumn(target?.info);
