import { onOneLine } from './strangers-words.js';

/**
 * The data of an answer as lines for a model that reads only text, complete but shorter than JSON. Objects with equal members become a
 * table with one head; empty lists are left out.
 */
export function plainText(data: unknown): string {
  return isRecord(data) ? linesOf(data, '').join('\n') : inline(data);
}

const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;

type Data = Readonly<Record<string, unknown>>;

function linesOf(data: Data, indent: string): string[] {
  return Object.entries(data).flatMap(([name, value]) => memberLines(onOneLine(name), value, indent));
}

function memberLines(name: string, value: unknown, indent: string): string[] {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
  if (Array.isArray(value)) return listLines(name, value, indent);
  if (isRecord(value)) return recordLines(name, value, indent);
  return valueLines(`${indent}${name}: `, value, indent);
}

function recordLines(name: string, value: Data, indent: string): string[] {
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  if (members.length === 0) return [`${indent}${name}: {}`];
  if (members.every(([, each]) => isShort(each)))
    return [`${indent}${name}: ${members.map(([key, each]) => `${onOneLine(key)}=${inline(each)}`).join(', ')}`];
  return [`${indent}${name}:`, ...linesOf(value, `${indent} `)];
}

function listLines(name: string, items: readonly unknown[], indent: string): string[] {
  if (items.every((item) => !isComposed(item))) return plainListLines(name, items, indent);
  if (items.every(isRecord)) return tableLines(name, items, indent) ?? blockLines(name, items, indent);
  return blockLines(name, items, indent);
}

function plainListLines(name: string, items: readonly unknown[], indent: string): string[] {
  const texts = items.map(inline);
  if (texts.every((text) => /^[^\s,]{1,60}$/.test(text))) return [`${indent}${name}: ${texts.join(', ')}`];
  if (texts.length === 1) return valueLines(`${indent}${name}: `, items[0], indent);
  return [`${indent}${name}:`, ...items.flatMap((item) => valueLines(`${indent}- `, item, `${indent} `))];
}

// A table is used only if no cell contains the separator.
function tableLines(name: string, rows: readonly Data[], indent: string): string[] | undefined {
  if (rows.length < 2) return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => row[key] !== undefined)))];
  const cells = rows.map((row) => names.map((key) => cellOf(row[key])));
  if (cells.flat().some((cell) => cell === undefined)) return undefined;
  return [
    `${indent}${name} (${names.map(onOneLine).join(' | ')}):`,
    ...cells.map((row) => `${indent}${row.join(' | ')}`.trimEnd()),
  ];
}

function cellOf(value: unknown): string | undefined {
  if (value === undefined) return '';
  if (Array.isArray(value)) {
    const cells = value.map((each) => (isComposed(each) ? undefined : cellOf(each)));
    return cells.some((each) => each === undefined || each.includes(',')) ? undefined : cells.join(', ');
  }
  if (isComposed(value)) return undefined;
  const text = inline(value);
  return LINE_END.test(text) || text.includes('|') ? undefined : text;
}

function blockLines(name: string, items: readonly unknown[], indent: string): string[] {
  const blocks = items.flatMap((item) => {
    if (!isRecord(item)) return valueLines(`${indent}- `, item, `${indent} `);
    const [first = '', ...rest] = linesOf(item, `${indent} `);
    return [`${indent}- ${first.trimStart()}`, ...rest];
  });
  return [`${indent}${name}:`, ...blocks];
}

function valueLines(head: string, value: unknown, indent: string): string[] {
  const [first = '', ...rest] = inline(value).split(LINE_END);
  // Further lines of a text begin with a bar, so that they are not taken for members of the data or text of the tool.
  return [`${head}${first}`, ...rest.map((line) => `${indent} | ${line}`)];
}

function inline(value: unknown): string {
  if (typeof value === 'string') return value;
  return isComposed(value) ? JSON.stringify(value) : String(value);
}

const MAX_SHORT = 80;

function isShort(value: unknown): boolean {
  return !isComposed(value) && inline(value).length <= MAX_SHORT && !/[\n\r\u0085\u2028\u2029,=]/.test(inline(value));
}

function isComposed(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isRecord(value: unknown): value is Data {
  return isComposed(value) && !Array.isArray(value);
}
