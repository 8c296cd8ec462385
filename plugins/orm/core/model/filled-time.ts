import type { ColumnDefinition } from './model-definition.js';

/** When the ORM fills a column with the present time: when the row is created, or then and each time that it is updated. */
export type FilledOn = 'create' | 'update';

/** What `filled=` takes. */
export const FILLED_ON: readonly FilledOn[] = ['create', 'update'];

/** Why a column cannot be filled as its tag says (`filled=`); undefined when it can, or its tag says nothing. */
export function filledProblem({
  filledOn,
  kind,
  generated,
}: Pick<ColumnDefinition, 'filledOn' | 'kind' | 'generated'>): string | undefined {
  if (filledOn === undefined) return undefined;
  if (kind !== 'date') return `filled=${filledOn} is for a Date, and the column is of the kind ${kind}`;
  return generated === true
    ? `filled=${filledOn} writes the column, and one that is generated is not written`
    : undefined;
}
