import type { ModelInfo } from '../model/model-info.js';
import type { LogicalDelete, LogicalExpr, LogicalJoin, LogicalSelect, LogicalUpdate } from './logical.js';
import { conjunction } from './read-shape.js';

/** Conditions on the rows of single tables, as plugins bring them that hide rows. */
export interface TableTests {
  /** On the queried table. */
  readonly own: LogicalExpr | undefined;
  /** On a joined table, whose columns are qualified when it has an alias. */
  readonly joined: (model: ModelInfo, alias: string | undefined) => LogicalExpr | undefined;
}

/**
 * Restricts each table of a select to the rows that meet its test, as if there were no others. For a table whose unmatched rows an outer
 * join keeps, neither WHERE nor ON can do that, so the table is read through a subselect. Tables that were joined by name stay as they are:
 * nothing is known about their columns.
 */
export function limitTables(select: LogicalSelect, { own, joined }: TableTests): LogicalSelect {
  const joins = select.joins.map((join) => limitJoin(join, joined));
  // The inner query was restricted itself.
  if (select.source) return { ...select, joins };
  const mayMissOwn = joins.some(({ kind }) => kind === 'right' || kind === 'full');
  return mayMissOwn
    ? { ...select, joins, only: both(select.only, own) }
    : { ...select, joins, where: both(select.where, own) };
}

/** An update or a delete that sees only those rows of each table that meet its test; see {@link limitTables}. */
export function limitWrite<Write extends LogicalUpdate | LogicalDelete>(
  write: Write,
  { own, joined }: TableTests,
): Write {
  const joins = write.joins?.map((join) => limitJoin(join, joined));
  return { ...write, ...(joins && { joins }), where: both(write.where, own) };
}

function limitJoin(join: LogicalJoin, testOf: TableTests['joined']): LogicalJoin {
  if (join.model === undefined || join.source !== undefined) return join;
  if (join.kind === 'inner' || join.kind === 'left')
    return { ...join, on: both(join.on, testOf(join.model, join.alias)) };
  return { ...join, only: both(join.only, testOf(join.model, undefined)) };
}

function both(a: LogicalExpr | undefined, b: LogicalExpr | undefined): LogicalExpr | undefined {
  return conjunction([a, b].filter((expr) => expr !== undefined));
}
