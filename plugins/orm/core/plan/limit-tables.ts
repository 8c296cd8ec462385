import { isJoinTable, modelsOfTable } from '../model/model-databases.js';
import type { ModelInfo } from '../model/model-info.js';
import type { LogicalDelete, LogicalExpr, LogicalJoin, LogicalPlan, LogicalSelect, LogicalUpdate } from './logical.js';
import { conjunction } from './read-shape.js';
import { mapConditions } from './rewrite.js';

/** Conditions on the rows of single tables, as plugins bring them that hide rows. */
export interface TableTests {
  /** On the queried table. */
  readonly own: LogicalExpr | undefined;
  /** On a joined table, whose columns are qualified when it has an alias. */
  readonly joined: (model: ModelInfo, alias: string | undefined) => LogicalExpr | undefined;
  /** Called for a table that is joined by its name and is nobody's, so that nothing is known about its rows; may throw. */
  readonly unknown?: (table: string) => void;
}

/**
 * Restricts each table of a select to the rows that meet its test, as if the table had no others. Where an outer join keeps unmatched rows
 * of a table, neither WHERE nor ON restricts it, so the table is read through a subselect. For a table that is joined by its name, the
 * model of that table counts; without a model the table stays as it is, unless the tests refuse it.
 */
export function limitTables(select: LogicalSelect, tests: TableTests): LogicalSelect {
  const { own } = tests;
  const joins = select.joins.map((join) => limitJoin(join, select.model, tests));
  // The inner query was restricted itself.
  if (select.source) return { ...select, joins };
  const mayMissOwn = joins.some(({ kind }) => kind === 'right' || kind === 'full');
  return mayMissOwn
    ? { ...select, joins, only: both(select.only, own) }
    : { ...select, joins, where: both(select.where, own) };
}

/** An update or a delete that sees only those rows of each table that meet its test; see {@link limitTables}. */
export function limitWrite<Write extends LogicalUpdate | LogicalDelete>(write: Write, tests: TableTests): Write {
  const joins = write.joins?.map((join) => limitJoin(join, write.model, tests));
  return { ...write, ...(joins && { joins }), where: both(write.where, tests.own) };
}

/** A plan whose reads `limited` has restricted: a select, a count, and the subqueries in conditions. Writes are left to the caller. */
export function limitReads(plan: LogicalPlan, limited: (select: LogicalSelect) => LogicalSelect): LogicalPlan {
  const inner = mapConditions(plan, (expr) => (expr.t === 'subquery' ? { ...expr, query: limited(expr.query) } : expr));
  if (inner.kind === 'select') return limited(inner);
  return inner.kind === 'count' ? { ...inner, of: limited(inner.of) } : inner;
}

function limitJoin(join: LogicalJoin, beside: ModelInfo, { joined, unknown }: TableTests): LogicalJoin {
  if (join.source !== undefined) return join;
  const models = join.model === undefined ? modelsOfTable(join.table, beside) : [join.model];
  if (models.length === 0 && !isJoinTable(join.table, beside)) unknown?.(join.table);
  const qualifies = join.kind === 'inner' || join.kind === 'left';
  for (const model of models) {
    const test = joined(model, qualifies ? join.alias : undefined);
    if (test === undefined) continue;
    return qualifies ? { ...join, on: both(join.on, test) } : { ...join, model, only: both(join.only, test) };
  }
  return join;
}

function both(a: LogicalExpr | undefined, b: LogicalExpr | undefined): LogicalExpr | undefined {
  return conjunction([a, b].filter((expr) => expr !== undefined));
}
