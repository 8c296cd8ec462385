import { fwError } from '../../../kernel/index.js';
import { nameParts, type Dialect, type ModelInfo } from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';

/**
 * Names that models give have to be those that the database keeps: PostgreSQL cuts a longer one without an error, and would be found to
 * lack it for ever. What is named here is cut where the name is made.
 *
 * @throws FwError `FW_MIGRATE_NAME`
 */
export function assertNamesFit(models: readonly ModelInfo[], dialect: Dialect): void {
  const { longestName: longest } = dialect.schema;
  if (longest === undefined) return;
  const sizeOf = (name: string) => (longest.unit === 'bytes' ? Buffer.byteLength(name) : [...name].length);
  for (const model of models) {
    const { name, table, columns } = model;
    const given = [
      ...(nameParts(table) ?? []).map((part) => ({ part, what: `the table of ${name}` })),
      ...columns.map((column) => ({ part: column.name, what: `the column of ${name}.${column.property}` })),
    ];
    const long = given.find(({ part }) => sizeOf(part) > longest.most);
    if (long === undefined) continue;
    const size = `${sizeOf(long.part)} ${longest.unit}`;
    throw fwError(MIGRATION_ERRORS.FW_MIGRATE_NAME, {
      ...{ name: long.part, what: long.what, size, dialect: dialect.name, most: longest.most },
    });
  }
}
