import type { TableIndex } from '../../plugins/orm/core/index.js';
import { isDatabaseName } from '../../plugins/orm/dialect/database-source.js';
import { isPlain } from '../evaluator/index.js';
import type { ModelSource } from './model-source.js';

const FORM =
  '@table takes { checks: { <name>: <SQL> }, indexes: [{ columns: [<property>], expressions?: [<SQL>], where?: <SQL>, using?, unique?, include?, nullsNotDistinct?, name? }], database: <name>, view: <SQL> | true, primaryKey: false, comment: <text> } behind the name';
const KNOWN = ['checks', 'indexes', 'database', 'view', 'primaryKey', 'comment'];

/** The options of `@table` after the name of the table. */
type TableOptionsSource = Pick<ModelSource, 'checks' | 'indexes' | 'databases' | 'view' | 'primaryKey' | 'comment'>;

/** Reads the evaluated options of `@table`. */
export function readTableOptions(options: unknown, report: (message: string) => void): TableOptionsSource {
  if (options === undefined) return { checks: {}, indexes: [], databases: [] };
  if (!isPlain(options) || Object.keys(options).some((name) => !KNOWN.includes(name))) report(FORM);
  const { checks = {}, indexes = [], database = [], view, primaryKey, comment } = isPlain(options) ? options : {};
  if (view !== undefined && (isGiven(checks) || isGiven(indexes)))
    report('a view has no checks and no indexes: they belong to the tables that it reads');
  return {
    ...readSaid({ view, primaryKey, comment }, report),
    checks: readChecks(checks, report),
    indexes: readIndexes(indexes, report),
    databases: readDatabases([database].flat(), report),
  };
}

const isGiven = (value: unknown): boolean => Object.keys(Object(value) as object).length > 0;

function readSaid(
  { view, primaryKey, comment }: Readonly<Record<'view' | 'primaryKey' | 'comment', unknown>>,
  report: (message: string) => void,
): Pick<ModelSource, 'view' | 'primaryKey' | 'comment'> {
  const isQuery = view === true || (typeof view === 'string' && view.trim() !== '');
  if (view !== undefined && !isQuery)
    report(
      "view is the query of the view, such as 'SELECT id, name FROM customers', or true where somebody else makes it",
    );
  if (primaryKey !== undefined && typeof primaryKey !== 'boolean')
    report('primaryKey is false where rows have no key, though a column is called id');
  if (comment !== undefined && typeof comment !== 'string') report('comment is a text');
  return {
    ...(isQuery && { view: view as string | true }),
    ...(primaryKey === false && { primaryKey }),
    ...(typeof comment === 'string' && { comment }),
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
      "an index is { columns: ['<property>', ...] }, with expressions: ['<SQL>', ...], where: '<SQL>', using: '<method>', unique: true, include: ['<property>', ...], nullsNotDistinct: true and name: '<name>' if wanted",
    );
    return [];
  });
}

function isIndex(value: unknown): value is TableIndex {
  if (!isPlain(value)) return false;
  const { columns = [], expressions = [], include = [], where, using, unique, nullsNotDistinct, name, ...others } = value; // prettier-ignore
  return (
    areTexts(columns) &&
    areTexts(expressions) &&
    areTexts(include) &&
    [where, using, name].every((text) => text === undefined || typeof text === 'string') &&
    [unique, nullsNotDistinct].every((said) => said === undefined || typeof said === 'boolean') &&
    Object.keys(others).length === 0
  );
}

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');
