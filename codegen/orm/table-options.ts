import type { TableIndex } from '../../plugins/orm/core/index.js';
import { isDatabaseName } from '../../plugins/orm/dialect/database-source.js';
import { isPlain } from '../evaluator/index.js';
import type { ModelSource } from './model-source.js';

const FORM =
  '@table takes { checks: { <name>: <SQL> }, indexes: [{ columns: [<property>], expressions?: [<SQL>], where?: <SQL>, using?, unique?, name? }], database: <name> } behind the name';
const KNOWN = ['checks', 'indexes', 'database'];

/** Reads what stands behind the name in `@table`, once it is evaluated. */
export function readTableOptions(
  options: unknown,
  report: (message: string) => void,
): Pick<ModelSource, 'checks' | 'indexes' | 'databases'> {
  if (options === undefined) return { checks: {}, indexes: [], databases: [] };
  if (!isPlain(options) || Object.keys(options).some((name) => !KNOWN.includes(name))) report(FORM);
  const { checks = {}, indexes = [], database = [] } = isPlain(options) ? options : {};
  return {
    checks: readChecks(checks, report),
    indexes: readIndexes(indexes, report),
    databases: readDatabases([database].flat(), report),
  };
}

function readDatabases(written: readonly unknown[], report: (message: string) => void): readonly string[] {
  const names = written.filter((name) => typeof name === 'string' && isDatabaseName(name)) as string[];
  if (names.length < written.length)
    report("database is the name of one, or a list of names: lower-case words such as reports; 'default' has none");
  return names;
}

function readChecks(written: unknown, report: (message: string) => void): Readonly<Record<string, string>> {
  if (isPlain(written) && Object.values(written).every((sql) => typeof sql === 'string'))
    return written as Record<string, string>;
  report('a check is SQL as a string, under the name of the check');
  return {};
}

function readIndexes(written: unknown, report: (message: string) => void): readonly TableIndex[] {
  const list: readonly unknown[] = Array.isArray(written) ? written : [undefined];
  return list.flatMap((each) => {
    if (isIndex(each)) return each;
    report(
      "an index is { columns: ['<property>', ...] }, with expressions: ['<SQL>', ...], where: '<SQL>', using: '<method>', unique: true and name: '<name>' if wanted",
    );
    return [];
  });
}

function isIndex(value: unknown): value is TableIndex {
  if (!isPlain(value)) return false;
  const { columns = [], expressions = [], where, using, unique, name, ...others } = value;
  return (
    areTexts(columns) &&
    areTexts(expressions) &&
    [where, using, name].every((text) => text === undefined || typeof text === 'string') &&
    (unique === undefined || typeof unique === 'boolean') &&
    Object.keys(others).length === 0
  );
}

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');
