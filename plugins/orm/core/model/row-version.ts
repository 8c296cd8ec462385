import type { ColumnDefinition } from './model-definition.js';

/** Why a column cannot count the changes of its row (`version`); undefined when it can, or its tag says nothing. */
export function versionProblem(
  column: Pick<
    ColumnDefinition,
    'version' | 'kind' | 'nullable' | 'primaryKey' | 'autoincrement' | 'generated' | 'writeOnly'
  >,
): string | undefined {
  const { version, kind, nullable, primaryKey, autoincrement, generated, writeOnly } = column;
  if (version !== true) return undefined;
  if (kind !== 'int' && kind !== 'bigint')
    return `version is for a whole number (Int or bigint), and the column is of the kind ${kind}`;
  if (nullable) return 'version counts from 1, and null is no number: declare the property without null';
  if (primaryKey) return 'version changes with each update, and a primary key does not';
  if (writeOnly) return 'version is compared with what was read, and a column that is writeonly is not read';
  return autoincrement || generated
    ? 'version is written by the ORM, and one that the database fills is not'
    : undefined;
}
