import type { ColumnKind } from '../model/kinds.js';
import type { LogicalSelect, LogicalValue, Projection } from './logical.js';
import type { FunctionName } from './parts.js';
import { familyOf, typeOfColumn } from './projection.js';
import { outputOf } from './sources.js';

const WIDEST: Readonly<Partial<Record<ColumnKind, FunctionName>>> = {
  text: 'begun:text',
  int: 'begun:whole',
  bigint: 'begun:whole',
  decimal: 'begun:exact',
};

/**
 * The first query of what is recursive, as one whose columns hold what the step computes: databases take their types, and their lengths,
 * from it alone; a dialect that knows no such function keeps them (https://www.postgresql.org/docs/current/queries-with.html, https://mariadb.com/kb/en/recursive-common-table-expressions-overview/).
 */
export function begun(first: LogicalSelect, step: LogicalSelect | undefined, known: object): LogicalSelect {
  if (step === undefined) return first;
  const projection = first.projection.map((item, at): Projection => {
    const operand = step.projection[at]?.t === 'value' ? valueOf(item) : undefined;
    const name = operand && WIDEST[familyOf(operand.type.kind)];
    if (name === undefined || !(name in known)) return item;
    const value: LogicalValue = {
      t: 'call',
      name,
      operands: [operand as LogicalValue],
      type: (operand as LogicalValue).type,
    };
    return { t: 'value', value, alias: outputOf(item, at) };
  });
  return { ...first, projection };
}

function valueOf(item: Projection): LogicalValue | undefined {
  if (item.t === 'value') return item.value;
  return item.t === 'column' ? { t: 'column', target: item.target, type: typeOfColumn(item.target.info) } : undefined;
}
