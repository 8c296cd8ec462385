import { stringLiteral } from '../../plugins/orm/core/index.js';
import { textWidth } from './text-width.js';
import { isObject } from '../../kernel/values/index.js';

/** Line width in new projects (`.prettierrc`). */
export const LINE_WIDTH = 120;

/** Code among values: it is written as it is. */
export class Code {
  constructor(readonly text: string) {}
}

/** How values are written: as TypeScript, or as JSON. */
interface ValueStyle {
  quoted(text: string): string;
  key(name: string): string;
  /** Text after the last member when each is on its own line. */
  readonly lastComma: string;
  /** Whether a text that does not fit after its name goes to the next line. */
  readonly textsBelow: boolean;
}

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

const TYPESCRIPT: ValueStyle = {
  quoted: quotedText,
  key: (name) => (PLAIN_KEY.test(name) ? name : quotedText(name)),
  lastComma: ',',
  textsBelow: true,
};

const JSON_STYLE: ValueStyle = { quoted: JSON.stringify, key: JSON.stringify, lastComma: '', textsBelow: false };

/** A text in the quotes that need fewer escapes; single ones if both are equal. */
export function quotedText(text: string): string {
  const [singles, doubles] = [text.split("'").length, text.split('"').length];
  if (singles <= doubles) return stringLiteral(text);
  return `"${stringLiteral(text).slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`;
}

/** Where a value begins. */
export interface ValuePlace {
  /** Blanks before the line that it begins on. */
  readonly indent: number;
  /** Characters of that line before it. */
  readonly column: number;
  /** Characters that follow its end on the same line. */
  readonly after: number;
}

/** Writes a value like Prettier (https://prettier.io/docs/rationale#objects): on one line if it fits, else one member per line. */
export function writtenValue(value: unknown, place: ValuePlace, style: ValueStyle = TYPESCRIPT): string {
  const room = LINE_WIDTH - place.column - place.after;
  if (Array.isArray(value)) return flatArray(value, room, style) ?? brokenArray(value, place, style);
  if (isRecord(value)) return flatObject(value, room, style) ?? brokenObject(value, place, style);
  return simpleText(value, style);
}

function simpleText(value: unknown, style: ValueStyle): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return style.quoted(value);
  return typeof value === 'number' ? String(value).replace('e+', 'e') : String(value);
}

/** The value on one line; undefined if it does not fit or is always broken. */
function flatText(value: unknown, room: number, style: ValueStyle): string | undefined {
  if (Array.isArray(value)) return flatArray(value, room, style);
  if (isRecord(value)) return flatObject(value, room, style);
  const text = simpleText(value, style);
  return textWidth(text) <= room ? text : undefined;
}

function flatObject(value: Readonly<Record<string, unknown>>, room: number, style: ValueStyle): string | undefined {
  const members = membersOf(value);
  if (members.length === 0) return room < 2 ? undefined : '{}';
  let text = '{ ';
  for (const [index, [name, each]] of members.entries()) {
    text += `${index === 0 ? '' : ', '}${style.key(name)}: `;
    const flat = flatText(each, room - textWidth(text) - 2, style);
    if (flat === undefined) return undefined;
    text += flat;
  }
  return `${text} }`;
}

function flatArray(value: readonly unknown[], room: number, style: ValueStyle): string | undefined {
  if (value.length === 0) return room < 2 ? undefined : '[]';
  if (isMatrix(value)) return undefined;
  let text = '[';
  for (const [index, each] of value.entries()) {
    if (index > 0) text += ', ';
    const flat = flatText(each, room - textWidth(text) - 1, style);
    if (flat === undefined) return undefined;
    text += flat;
  }
  return `${text}]`;
}

// Whether a list has several elements that are lists or objects of several members: these are always written on lines of their own.
function isMatrix(value: readonly unknown[]): boolean {
  const isLong = (each: unknown) => Array.isArray(each) && each.length > 1;
  const isLarge = (each: unknown) => isRecord(each) && membersOf(each).length > 1;
  return value.length > 1 && (value.every(isLong) || value.every(isLarge));
}

function brokenArray(value: readonly unknown[], { indent }: ValuePlace, style: ValueStyle): string {
  const inner = indent + 2;
  const lines = value.every((each) => typeof each === 'number')
    ? filled(
        value.map((each) => simpleText(each, style)),
        inner,
        style,
      )
    : value.map((each, index) => {
        const after = commaWidth(index, value.length, style);
        return writtenValue(each, { indent: inner, column: inner, after }, style);
      });
  return enclosed('[', lines, ']', indent, style);
}

/** Width of the comma after a member. */
function commaWidth(index: number, members: number, { lastComma }: ValueStyle): number {
  return index < members - 1 ? 1 : lastComma.length;
}

// Fills lines with numbers.
function filled(texts: readonly string[], indent: number, style: ValueStyle): readonly string[] {
  const lines: string[] = [];
  for (const [index, text] of texts.entries()) {
    const last = lines.at(-1);
    const longer = last === undefined ? text : `${last}, ${text}`;
    if (last !== undefined && indent + longer.length + commaWidth(index, texts.length, style) <= LINE_WIDTH)
      lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

function brokenObject(value: Readonly<Record<string, unknown>>, { indent }: ValuePlace, style: ValueStyle): string {
  const inner = indent + 2;
  const members = membersOf(value);
  const lines = members.map(([name, each], index) => {
    const key = style.key(name);
    const column = inner + textWidth(key) + 2;
    const after = commaWidth(index, members.length, style);
    const text = writtenValue(each, { indent: inner, column, after }, style);
    const isBelow = style.textsBelow && isTooLong(each, key, column, text);
    return isBelow ? `${key}:\n${' '.repeat(inner + 2)}${text}` : `${key}: ${text}`;
  });
  return enclosed('{', lines, '}', indent, style);
}

// Moving a text to the next line gains nothing if its name is not longer than the indent.
function isTooLong(value: unknown, key: string, column: number, text: string): boolean {
  return typeof value === 'string' && key.length > 2 && column + textWidth(text) + 1 > LINE_WIDTH;
}

function enclosed(open: string, lines: readonly string[], close: string, indent: number, style: ValueStyle): string {
  if (lines.length === 0) return open + close;
  const pad = ' '.repeat(indent + 2);
  const body = lines.map((line, index) => pad + line + (index < lines.length - 1 ? ',' : style.lastComma));
  return [open, ...body, `${' '.repeat(indent)}${close}`].join('\n');
}

const membersOf = (value: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(value).filter(([, each]) => each !== undefined);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !(value instanceof Code);
}

/** A value as a JSON file. */
export const writtenJson = (value: unknown): string =>
  `${writtenValue(JSON.parse(JSON.stringify(value)), { indent: 0, column: 0, after: 0 }, JSON_STYLE)}\n`;
