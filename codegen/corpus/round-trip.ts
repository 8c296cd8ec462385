import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { settingsOf } from '../../kernel/build/index.js';
import {
  type ColumnInfo,
  type TemporalClass,
  model,
  type ModelInfo,
  open,
  registeredModels,
} from '../../plugins/orm/core/index.js';
import { anyDatabase, anyDialect } from '../../plugins/orm/contract/any-database.js';
import { here } from '../../plugins/orm/contract/temporal-here.js';
import { createMissingTables, diffSchema, introspect } from '../../plugins/orm/schema/index.js';

/** Results of a project's models in a database. */
export interface RoundTrip {
  /** Statements that a comparison of models and tables gives right after the tables were made; expected to be none. */
  readonly differences: readonly string[];
  /** By model: the written row, and the row as it was read by the names of its columns and by the generated scanner. */
  readonly rows: Readonly<Record<string, WrittenAndRead>>;
}

interface WrittenAndRead {
  readonly written: unknown;
  readonly read: unknown;
}

/** Loads the generated code of a project with its models, makes their tables, and writes and reads a row of each. */
export async function roundTrip(root: string): Promise<RoundTrip> {
  const models = await loaded(root);
  const db = open(await anyDatabase(), anyDialect);
  try {
    await createMissingTables(db, models);
    const { up } = diffSchema(models, await introspect(db), db.dialect);
    const rows: Record<string, WrittenAndRead> = {};
    for (const info of models) rows[info.name] = await rowOf(info, db);
    return { differences: up, rows };
  } finally {
    await db.close();
  }
}

type Db = Parameters<typeof createMissingTables>[0];

async function rowOf(info: ModelInfo, db: Db): Promise<WrittenAndRead> {
  const columns = info.columns.filter(({ definition }) => !definition.autoincrement);
  const written = Object.fromEntries(columns.map((column) => [column.property, sampleOf(column.definition)]));
  await model(db, info.target).create({ ...written });
  // A write-only column is read only if it is selected by name.
  const [read] = await model(db, info.target)
    .select(...(columns.map(({ property }) => property) as never[]))
    .limit(1)
    .find();
  // The generated scanner reads whole rows, without write-only columns.
  const whole = (await model(db, info.target).first()) as Record<string, unknown>;
  const readable = new Set(info.readable);
  const members = columns.map((column) => {
    const row = (readable.has(column) ? whole : read) as Record<string, unknown>;
    return [column.property, withoutScale(column.definition, row[column.property])];
  });
  return { written, read: Object.fromEntries(members) };
}

// Servers give a decimal with all digits of its column's scale.
const withoutScale = ({ kind }: Sampled, value: unknown): unknown =>
  kind === 'decimal' && typeof value === 'string' ? value.replace(/(\.\d*?)0+$/, '$1') : value;

// Sources are compiled as the project's own settings say, decorators and path aliases among them.
async function loaded(root: string): Promise<readonly ModelInfo[]> {
  const outfile = path.join(root, 'bundle.mjs');
  const entry = path.join(root, 'generated/index.ts');
  // The bundler ignores the `references` of a tsconfig.json.
  const tsconfig = await settingsOf(root, [entry]);
  await build({
    entryPoints: [entry],
    ...(tsconfig !== undefined && { tsconfig }),
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['fw', 'fw/*', 'node:*'],
    logLevel: 'silent',
  });
  const before = new Set(registeredModels());
  await import(pathToFileURL(outfile).href);
  return registeredModels().filter((info) => !before.has(info));
}

type Sampled = Pick<ColumnInfo['definition'], 'kind' | 'values' | 'element' | 'temporal'>;

const TEMPORAL: Readonly<Record<TemporalClass, () => unknown>> = {
  PlainDate: () => here().PlainDate.from('2026-01-02'),
  PlainTime: () => here().PlainTime.from('03:04:05.000006'),
  PlainDateTime: () => here().PlainDateTime.from('2026-01-02T03:04:05.000006'),
  Instant: () => here().Instant.from('2026-01-02T03:04:05.000006Z'),
  Duration: () => here().Duration.from('P1DT2H3M4.000005S'),
};

function sampleOf({ kind, values = [], element, temporal }: Sampled): unknown {
  if (temporal) return TEMPORAL[temporal]();
  switch (kind) {
    case 'int':
      return 7;
    case 'bigint':
      return 9_007_199_254_740_993n;
    case 'float':
      return 1.5;
    case 'decimal':
      return '12.5';
    case 'boolean':
      return true;
    case 'date':
      return new Date('2026-01-02T03:04:05.678Z');
    case 'plainDate':
      return '2026-01-02';
    case 'plainTime':
      return '03:04:05.5';
    case 'interval':
      return '1 day 02:03:04';
    case 'json':
      return { nested: [1, { deep: null }] };
    case 'bytes':
      return new Uint8Array([0, 255]);
    case 'uuid':
      return '11111111-2222-4333-8444-555555555555';
    case 'enum':
      return values.at(-1);
    case 'array':
      if (values.length > 0) return [values.at(-1)];
      return element === undefined ? [] : [sampleOf({ kind: element, values: ['x'] })];
    case 'any':
    case 'string':
    case 'text':
      return "it's ein Wört";
  }
}
