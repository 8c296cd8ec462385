import { join } from 'node:path';
import { changesIn } from '../../../kernel/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import { nameText, type Database } from '../core/index.js';
import { introspect, type ActualTable } from '../schema/introspect.js';
import { noteTablesOf } from '../migrations/step-table.js';
import { isVersionTable } from '../migrations/version-table.js';
import { declarationsOf, type Pulled } from './declarations.js';
import { valuesOf } from './held-values.js';

/** What `fw db pull` is given. */
export interface DbPullCommand {
  readonly db: Database;
  /** The project that the folder belongs to. */
  readonly root: string;
  /** Folder that the declarations are written to. */
  readonly folder: string;
  /** Name of the database, which the declarations then say; default the one without a name. */
  readonly database?: string;
  /** Schemas whose tables are described beside those of the current one. */
  readonly schemas?: readonly string[];
  /** Whether files that are there are overwritten. Default false. */
  readonly force?: boolean;
  /** Tables to leave out, beside those that migrations are noted in. */
  readonly ignore?: readonly string[];
  readonly print: (line: string) => void;
  /** Called with the result, for programs. */
  readonly report?: (facts: PullFacts) => void;
}

/** Result of `fw db pull`. */
interface PullFacts {
  readonly models: readonly {
    readonly file: string;
    readonly written: boolean;
    readonly warnings: readonly string[];
  }[];
  readonly warnings: readonly string[];
}

/** Declarations of a database's tables but those that our migrations are noted in, and how many there are. */
export async function pullModels(
  db: Database,
  { database, schemas = [], ignore = [] }: Pick<DbPullCommand, 'database' | 'schemas' | 'ignore'> = {},
): Promise<Pulled & { readonly tables: number }> {
  const expected = schemas.map((schema) => `${nameText(schema)}.any`);
  const [versions, steps] = noteTablesOf(db);
  const isNote = (table: ActualTable) => table.name === steps || (table.name === versions && isVersionTable(table));
  const isLeftOut = (table: ActualTable) => isNote(table) || ignore.includes(table.name);
  const tables = (await introspect(db, expected)).filter((table) => !isLeftOut(table));
  return { ...declarationsOf(tables, db.dialect, await valuesOf(db, tables), database), tables: tables.length };
}

/**
 * Runs `fw db pull`: writes a model declaration per table, all of them or none. @returns the exit code
 *
 * @throws FwError `FW_CHANGESET_*`
 */
export async function runDbPull({
  db,
  root,
  folder,
  database,
  schemas = [],
  force = false,
  ignore = [],
  print,
  report,
}: DbPullCommand): Promise<number> {
  const pulled = await pullModels(db, { ...(database !== undefined && { database }), schemas, ignore });
  if (pulled.tables === 0) {
    report?.({ models: [], warnings: pulled.warnings });
    print('the database has no tables');
    return 0;
  }
  const { changes, folder: target } = await changesIn(root, folder);
  const lines: string[] = [];
  const facts: PullFacts['models'][number][] = [];
  let refused = 0;
  for (const { file, content, warnings } of pulled.models) {
    const at = join(target, file);
    const isKept = !force && (await changes.read(at)) !== undefined;
    if (isKept) refused++;
    else await changes.write(at, content);
    facts.push({ file, written: !isKept, warnings });
    lines.push(isKept ? `kept ${file}, which is there already; --force overwrites it` : `wrote ${file}`);
    lines.push(...warnings.map((warning) => `warning: ${warning}`));
  }
  await changes.commit({ onRecovered: ({ text }) => print(text) });
  report?.({ models: facts, warnings: pulled.warnings });
  lines.forEach(print);
  for (const warning of pulled.warnings) print(`warning: ${warning}`);
  const count = pulled.models.length - refused;
  if (count > 0)
    print(`${count} ${count === 1 ? 'model' : 'models'} written to ${folder}; run ${fwCommand('codegen')} next`);
  return refused > 0 ? 1 : 0;
}
