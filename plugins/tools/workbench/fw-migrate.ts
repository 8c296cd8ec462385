import { relative } from 'node:path';
import { brief, defineTool, Type } from '../../../kernel/index.js';
import { Integer, optional, Text, Texts } from '../../../kernel/schema/index.js';
import { fwGenerate, oneAtATime } from '../generation/index.js';
import { built, developmentFlags, jsonOfFw, Where } from './project-fw.js';

const MIGRATE_MS = 300_000;

const Renames = optional(Type.Array(Text, { description: 'table.old=new: columns with another name' }));

interface Facts {
  readonly migrations?: readonly { readonly version: string; readonly name: string; readonly state: string }[];
  readonly applied?: readonly { readonly version: string; readonly name: string }[];
  readonly rolledBack?: readonly { readonly version: string; readonly name: string }[];
  readonly statements?: readonly string[];
  readonly undo?: readonly string[];
  readonly warnings?: readonly string[];
  readonly written?: readonly string[];
  readonly messages: readonly string[];
}

const flags = (database: string | undefined): readonly string[] => ['--development', ...developmentFlags(database)];
const named = (all: Facts['applied'] = []) => all.map(({ version, name }) => `${version} ${name}`);

export const fwMigrationStatus = defineTool({
  name: 'fw_migration_status',
  description: 'List the migrations of the project and whether its development database has them.',
  input: Type.Object(Where),
  output: Type.Object({
    pending: Texts,
    applied: Integer,
    last_applied: optional(Text),
    others: Type.Array(Type.String({ description: 'neither pending nor applied, with their state' })),
  }),
  paths: ['path'],
  texts: ['database'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  destructive: false,
  idempotent: true,
  run: async ({ path, database }, context) => {
    const root = path ?? context.workspace;
    await built(root, context);
    const { migrations = [] } = await jsonOfFw<Facts>(root, ['migrate', 'status', ...flags(database)], MIGRATE_MS, context); // prettier-ignore
    const of = (state: string) => migrations.filter((each) => each.state === state);
    const pending = named(of('pending'));
    const applied = named(of('applied'));
    const others = migrations
      .filter(({ state }) => state !== 'pending' && state !== 'applied')
      .map(({ state, version, name }) => `${state}: ${version} ${name}`);
    return {
      summary:
        pending.length > 0
          ? `${pending.length} pending: fw_migrate applies them.`
          : 'Nothing is pending; fw_migration_diff says whether the models want more.',
      structured: {
        pending,
        applied: applied.length,
        others,
        last_applied: applied.at(-1),
      },
    };
  },
});

/** Characters of statements in an answer; those of a whole schema may be many more. */
const MOST = 4_000;

/** What a migration does, and how it is undone. */
const Sql = {
  statements: Type.Array(Type.String({ description: 'SQL, with its end' })),
  undo: Texts,
  warnings: Texts,
  left_out: optional(Type.Integer({ description: 'statements beyond those here' })),
};

export const fwMigrationDiff = defineTool({
  name: 'fw_migration_diff',
  description:
    'Compare the models with the development database: the SQL of the migration that is missing. Writes nothing.',
  input: Type.Object({
    ...Where,
    renames: Renames,
  }),
  output: Type.Object(Sql),
  paths: ['path'],
  texts: ['database', 'renames'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  destructive: false,
  idempotent: true,
  run: async ({ path, database, renames = [] }, context) => {
    const root = path ?? context.workspace;
    await built(root, context);
    const args = ['migrate', 'diff', '--dry-run', ...flags(database), ...renames.map((each) => `--rename=${each}`)];
    const facts = await jsonOfFw<Facts>(root, args, MIGRATE_MS, context);
    const count = facts.statements?.length ?? 0;
    const structured = sqlOf(facts);
    const all = structured.left_out === undefined ? '' : ' Not all are shown.';
    const next = `${count} statement(s): fw_write_migration writes them to files.${all}`;
    return { summary: count === 0 ? 'The database is what the models say.' : next, structured };
  },
});

export const fwWriteMigration = defineTool({
  name: 'fw_write_migration',
  description:
    'Write the migration that fw_migration_diff shows to files, up and down; nothing is applied. What moves rows (a backfill) is yours to add there. Needs the category generation, too.',
  input: Type.Object({
    ...Where,
    name: Type.String({ minLength: 1, description: 'what changes, in a few words' }),
    renames: Renames,
    baseline: optional(
      Type.Boolean({ description: 'the first migration instead, of tables that are there: noted as applied' }),
    ),
  }),
  output: Type.Object({
    files: Texts,
    first_statements: Type.Array(Type.String({ description: 'their beginnings; the files have the whole' })),
    statements: Type.Integer({ description: 'how many there are' }),
    undo_statements: Integer,
    warnings: Texts,
    messages: Texts,
  }),
  paths: ['path'],
  texts: ['database', 'name', 'renames'],
  reach: 'workspace',
  effects: ['runs-project-code', 'writes-files'],
  destructive: false,
  run: async ({ path, database, name, renames = [], baseline = false }, context) => {
    // Files of a project are what generators write: whoever may not use them writes none by this way.
    context.permit(fwGenerate);
    const root = path ?? context.workspace;
    await built(root, context);
    const what = baseline ? ['baseline'] : ['diff', ...renames.map((each) => `--rename=${each}`)];
    const args = ['migrate', ...what, `--name=${name}`, ...flags(database)];
    const facts = await oneAtATime(root, () => jsonOfFw<Facts>(root, args, MIGRATE_MS, context));
    const { written = [], statements = [], undo = [], warnings = [], messages } = facts;
    const structured = {
      files: written.map((file) => relative(root, file)),
      first_statements: statements.slice(0, FIRST).map(beginningOf),
      statements: statements.length,
      undo_statements: undo.length,
      warnings,
      messages: messages.filter((line) => !/^(wrote|warning:) /.test(line)),
    };
    const next = baseline
      ? 'noted as applied; fw_write_migration writes what the models change from here on.'
      : 'add what moves rows there, then fw_migrate applies them.';
    const count = `${written.length} file(s) with ${statements.length} statement(s), which are read there whole`;
    const summary = written.length === 0 ? 'Nothing is written: see messages.' : `${count}; ${next}`;
    return { summary, structured };
  },
});

// The files are the agent's to read; what is answered is enough to see whether they do what was meant.
const FIRST = 5;
const BEGINNING = 120;

const beginningOf = (statement: string): string => brief(statement.replaceAll(/\s+/g, ' ').trim(), BEGINNING);

function sqlOf({ statements = [], undo = [], warnings = [] }: Facts) {
  const shown = { statements: fitting(statements), undo: fitting(undo), warnings };
  const left = statements.length + undo.length - shown.statements.length - shown.undo.length;
  return { ...shown, left_out: left > 0 ? left : undefined };
}

function fitting(statements: readonly string[]): string[] {
  let length = 0;
  return statements
    .map((statement) => (statement.startsWith('--') ? statement : `${statement};`))
    .filter((statement) => (length += statement.length) <= MOST / 2);
}

export const fwMigrate = defineTool({
  name: 'fw_migrate',
  description: 'Apply pending migrations to the development database, or roll the last ones back.',
  input: Type.Object({
    ...Where,
    direction: Type.Enum(['up', 'down']),
    count: optional(Type.Integer({ minimum: 1, description: 'default all up, one down' })),
  }),
  output: Type.Object({
    applied: Texts,
    rolled_back: Texts,
    messages: Texts,
  }),
  paths: ['path'],
  texts: ['database'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  run: async ({ path, database, direction, count }, context) => {
    const root = path ?? context.workspace;
    await built(root, context);
    const args = ['migrate', direction, ...(count === undefined ? [] : [String(count)]), ...flags(database)];
    const facts = await jsonOfFw<Facts>(root, args, MIGRATE_MS, context);
    const structured = {
      applied: named(facts.applied),
      rolled_back: named(facts.rolledBack),
      messages: facts.messages.filter((line) => !/^(applied|rolled back) /.test(line)),
    };
    const done = structured.applied.length + structured.rolled_back.length;
    return { summary: `${done} migration(s) ${direction === 'up' ? 'applied' : 'rolled back'}.`, structured };
  },
});
