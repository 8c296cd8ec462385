import type { ColumnInfo, Dialect } from '../core/index.js';

/** What stands behind the name of a column that the database computes (`generated=<SQL>`); undefined for another. */
export function computedText(column: ColumnInfo, type: string, { schema }: Dialect): string | undefined {
  const { expression, virtual = false } = column.definition;
  if (expression === undefined) return undefined;
  // Behind a comment the parenthesis would be a part of it.
  const inside = `(${expression}${expression.includes('--') ? '\n' : ''})`;
  return (
    schema.computed?.(type, inside, virtual) ??
    `${type} GENERATED ALWAYS AS ${inside} ${virtual ? 'VIRTUAL' : 'STORED'}`
  );
}
