import type { ColumnInfo, Dialect } from '../core/index.js';

/** SQL behind the name of a computed column (`generated=<SQL>`); undefined for other columns. */
export function computedText(column: ColumnInfo, type: string, { schema }: Dialect): string | undefined {
  const { expression, virtual = false } = column.definition;
  if (expression === undefined) return undefined;
  // On the line of an SQL comment the parenthesis would belong to the comment.
  const inside = `(${expression}${expression.includes('--') ? '\n' : ''})`;
  return (
    schema.computed?.(type, inside, virtual) ??
    `${type} GENERATED ALWAYS AS ${inside} ${virtual ? 'VIRTUAL' : 'STORED'}`
  );
}
