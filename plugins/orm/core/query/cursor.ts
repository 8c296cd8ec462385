import { fwError } from '../../../../kernel/index.js';
import { finerDigits, keepFiner } from '../model/finer-time.js';
import { kindForm, temporalValue } from '../model/temporal.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { formError } from '../plan/form-error.js';
import { assertPageable, orderWithTieBreak } from '../plan/keyset.js';
import type { LogicalOrder } from '../plan/logical.js';
import type { ColumnTarget } from '../plan/parts.js';
import { readShape } from '../plan/read-shape.js';
import type { Shape } from '../plan/shape.js';

/** A position in an ordered list, opaque to clients; made by `query.cursorOf(row)`. */
export type Cursor = string;

interface CursorContent {
  readonly v: 1;
  /** The ordering that the cursor belongs to. */
  readonly o: string;
  /** Values of its terms. */
  readonly k: readonly unknown[];
}

// The terms that a page is ordered by: those of the query, made unique by the primary key.
function pageOrder(shape: Shape): LogicalOrder[] {
  const terms = shape.parts().flatMap((part) => (part.t === 'order' ? [part] : []));
  return orderWithTieBreak({ model: shape.model }, terms, false);
}

/** Cursor of a row under the order of a query. */
export function cursorOf(shape: Shape, row: object): Cursor {
  // The sort order of nulls does not affect the structure.
  assertPageable(readShape(shape, 'largest').select);
  const order = pageOrder(shape);
  const hidden = order.find(({ target }) => target?.info?.hidden);
  if (hidden?.target)
    throw formError(
      shape.model,
      `clients see what a cursor holds, and "${hidden.target.name}" is private: order by another`,
    );
  const values = order.map(({ target }) =>
    encoded(valueIn(row as Record<string, unknown>, target as ColumnTarget, shape.model)),
  );
  const content: CursorContent = { v: 1, o: signature(order), k: values };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/**
 * Values of a cursor, for the order of a query.
 *
 * @throws FwError `FW_ORM_CURSOR` when the cursor is damaged or was made under another order
 */
export function cursorValues(shape: Shape, cursor: Cursor): readonly unknown[] {
  const order = pageOrder(shape);
  const { o, k } = parsed(cursor);
  if (o !== signature(order)) throw invalid(`it was made for the order "${o.slice(0, 80)}", not "${signature(order)}"`);
  if (k.length !== order.length) throw invalid('it holds another number of values than the order has terms');
  return k.map((value, at) => {
    const info = order[at]?.target?.info;
    return info === undefined ? decode(value) : fitting(decode(value), info);
  });
}

function parsed(cursor: unknown): CursorContent {
  try {
    const content = JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as Partial<CursorContent>;
    if (content.v === 1 && typeof content.o === 'string' && Array.isArray(content.k)) return content as CursorContent;
  } catch (error) {
    throw invalid('it cannot be decoded', error);
  }
  throw invalid('it cannot be decoded');
}

const signature = (order: readonly LogicalOrder[]): string => {
  return order.map(({ target, desc, nulls = '' }) => `${target?.name ?? ''}${desc ? '-' : '+'}${nulls}`).join(',');
};

function valueIn(row: Record<string, unknown>, { name, info }: ColumnTarget, model: ModelInfo): unknown {
  const property = info?.property ?? name;
  const value = row[property];
  if (value !== undefined) return value;
  throw formError(model, `a cursor needs "${property}", which the row does not hold; select it too`);
}

// A client may have changed the cursor.
function fitting(value: unknown, info: ColumnInfo): unknown {
  if (value === null && info.nullable) return null;
  try {
    return checkedForm(value, info);
  } catch (error) {
    throw invalid(`it holds a value that "${info.property}" does not take`, error);
  }
}

// A cursor has the form of the kind, of which a value of Temporal is made again.
function checkedForm(value: unknown, info: ColumnInfo): unknown {
  const { temporal } = info.definition;
  const isForm = value instanceof Date || typeof value === 'string';
  const made = (temporal && isForm && temporalValue(temporal, value)) || value;
  info.checked(made);
  return made;
}

function encoded(given: unknown): unknown {
  const value = kindForm(given)?.form ?? given;
  if (value instanceof Date) {
    const finer = finerDigits(value);
    return finer === '' ? { d: value.getTime() } : { d: value.getTime(), f: finer };
  }
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') };
  return typeof value === 'bigint' ? { n: String(value) } : value;
}

function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { b, d, f, n } = value as { readonly [key in 'b' | 'd' | 'f' | 'n']?: unknown };
  if (typeof d === 'number')
    return typeof f === 'string' && /^\d{1,6}$/.test(f) ? keepFiner(new Date(d), f) : new Date(d);
  if (typeof b === 'string') return new Uint8Array(Buffer.from(b, 'base64'));
  if (typeof n === 'string' && /^-?\d+$/.test(n)) return BigInt(n);
  throw invalid('it holds a value of unknown type');
}

function invalid(problem: string, cause?: unknown) {
  return fwError(ORM_ERRORS.FW_ORM_CURSOR, { problem }, { cause });
}
