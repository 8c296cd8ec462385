import { defineTool, Type } from '../../../kernel/index.js';
import { optional, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { built, developmentFlags, jsonOfFw, Where } from './project-fw.js';

const READ_MS = 60_000;
/** Characters of an answer: a list of the tables, where all of their columns would be more. */
const MOST = 4_000;

const Table = Type.Object({
  name: Text,
  view: optional(YesNo),
  columns: Texts,
  keys: optional(Texts),
});

export const fwReadSchema = defineTool({
  name: 'fw_read_schema',
  description: 'Read tables, columns, keys and indexes as the development database has them.',
  input: Type.Object({
    ...Where,
    tables: optional(Type.Array(Text, { description: 'only these, with all of their columns' })),
  }),
  output: Type.Object({
    tables: Type.Array(Table),
    columns_left_out: optional(YesNo),
  }),
  paths: ['path'],
  texts: ['database', 'tables'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  destructive: false,
  idempotent: true,
  run: async ({ path, database, tables: only = [] }, context) => {
    const root = path ?? context.workspace;
    await built(root, context);
    const args = ['db', 'schema', ...developmentFlags(database), '--', ...only];
    const { tables } = await jsonOfFw<{ tables: Type.Static<typeof Table>[] }>(root, args, READ_MS, context);
    if (only.length > 0 || JSON.stringify(tables).length <= MOST) {
      const summary = `${tables.length} table(s). fw_read_database reads rows.`;
      return { summary, structured: { tables } };
    }
    const names = tables.map(({ name, view, columns }) => ({ name, view, columns: [`${columns.length} columns`] })); // prettier-ignore
    const summary = `${tables.length} tables; pass the names of some as tables for their columns.`;
    return { summary, structured: { tables: names, columns_left_out: true } };
  },
});
