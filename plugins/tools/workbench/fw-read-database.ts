import { defineTool, Type } from '../../../kernel/index.js';
import { Numeric, optional, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { built, developmentFlags, jsonOfFw, Where } from './project-fw.js';

const READ_MS = 30_000;
const ROWS = 20;
const MOST_ROWS = 1_000;
/** Characters of an answer and of a cell, unless more rows are asked for. */
const MOST = 4_000;
const MOST_IN_CELL = 200;

interface ReadRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly isCut: boolean;
}

const Cell = Type.Union([Text, Numeric, YesNo, Type.Null()]);

export const fwReadDatabase = defineTool({
  name: 'fw_read_database',
  description: 'Run one SELECT on the development database. The database itself refuses writes and private columns.',
  input: Type.Object({
    ...Where,
    sql: Type.String({ minLength: 1, description: 'one statement' }),
    rows: optional(Type.Integer({ minimum: 1, maximum: MOST_ROWS, description: `most rows; default ${ROWS}` })),
  }),
  output: Type.Object({
    columns: Texts,
    rows: Type.Array(Type.Array(Cell)),
    more: Type.Boolean({ description: 'there are more rows' }),
  }),
  paths: ['path'],
  texts: ['database', 'sql'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  destructive: false,
  idempotent: true,
  run: async ({ path, database, sql, rows: most }, context) => {
    const root = path ?? context.workspace;
    await built(root, context);
    const args = ['db', 'read', ...developmentFlags(database), '--rows', String(most ?? ROWS), '--', sql];
    const found = await jsonOfFw<ReadRows>(root, args, READ_MS, context);
    const cells = found.rows.map((row) => row.map(cellOf));
    const rows = most === undefined ? fitting(cells) : cells;
    const more = found.isCut || rows.length < cells.length;
    const summary = `${rows.length} row(s)${more ? '; there are more: say LIMIT, or rows' : ''}.`;
    const lines = rows.map((row) => row.map(textOf).join(' | '));
    const text = [summary, found.columns.join(' | '), ...lines].join('\n');
    return { summary, text, structured: { columns: found.columns, rows, more } };
  },
});

// A text that could be taken for several cells or rows stands in quotes.
function textOf(value: CellValue): string {
  return typeof value !== 'string' || /[\n\r|"\u0085\u2028\u2029]/.test(value) ? JSON.stringify(value) : value;
}

type CellValue = string | number | boolean | null;

function cellOf(value: unknown): CellValue {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= MOST_IN_CELL ? text : `${text.slice(0, MOST_IN_CELL)}… (${text.length} characters)`;
}

// One row is told whatever its size.
function fitting(rows: CellValue[][]): CellValue[][] {
  let left = MOST;
  const count = rows.findIndex((row) => (left -= JSON.stringify(row).length) < 0);
  return count === -1 ? rows : rows.slice(0, Math.max(count, 1));
}
