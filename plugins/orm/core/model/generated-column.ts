import type { ColumnDefinition } from './model-definition.js';

/** Why a column cannot be computed as its tag says (`generated=`, `virtual`); undefined when it can, or its tag says nothing. */
export function generatedProblem({
  expression,
  virtual,
  default: fallback,
  autoincrement,
}: Pick<ColumnDefinition, 'expression' | 'virtual' | 'default' | 'autoincrement'>): string | undefined {
  if (expression === undefined) return virtual ? 'virtual is for a column with generated=<SQL>' : undefined;
  const other = fallback === undefined ? autoincrement && 'autoincrement' : 'default=';
  return other
    ? `what generated= computes takes no other value, so ${other} stands for nothing; leave one of them out`
    : undefined;
}
