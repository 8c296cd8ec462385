import { declaredName } from '../model/identifiers.js';
import type { ColumnKind } from '../model/kinds.js';
import type { FunctionName, Part } from '../plan/parts.js';
import type { TextValue } from './column-types.js';
import { wholeNumber } from '../plan/whole-number.js';
import { appendOperand, inWords, operandRefusal, typeOf, type FromOf, type NullOf, type ValueOf } from './operand.js';
import { call, ValueExpression } from './value.js';

/** An operand of text; `never` for any other. */
export type TextOperand<Item> = [NonNullable<TextValue<ValueOf<Item>>>] extends [never] ? never : Item;

type Text<Item> = ValueExpression<string | NullOf<Item>, FromOf<Item>>;

/** The text in small letters; SQLite knows A to Z only. @throws FwError `FW_ORM_VALUE` for what is no text */
export const lower = <const Item>(text: Item & TextOperand<Item>): Text<Item> => of('lower', [text]);

/** The text in capital letters; SQLite knows A to Z only. @throws FwError `FW_ORM_VALUE` */
export const upper = <const Item>(text: Item & TextOperand<Item>): Text<Item> => of('upper', [text]);

/** The text without blanks at both ends. @throws FwError `FW_ORM_VALUE` */
export const trim = <const Item>(text: Item & TextOperand<Item>): Text<Item> => of('trim', [text]);

/** Number of characters; on SQL Server, of pairs of bytes. @throws FwError `FW_ORM_VALUE` */
export function textLength<const Item>(
  text: Item & TextOperand<Item>,
): ValueExpression<number | NullOf<Item>, FromOf<Item>> {
  return call('textLength', [textOperand(text)], { kind: 'int' });
}

/**
 * Several texts in a row; null when one of them is.
 *
 * @throws FwError `FW_ORM_VALUE`
 * @example concat(author.firstName, ' ', author.lastName)
 */
export function concat<const Items extends readonly [unknown, unknown, ...unknown[]]>(
  ...texts: { [At in keyof Items]: Items[At] & TextOperand<Items[At]> }
): Text<Items[number]> {
  return of('concat', texts);
}

/**
 * Part of a text: `count` characters from the one at `from`, counted from 1.
 *
 * @throws FwError `FW_ORM_NUMBER`, `FW_ORM_VALUE`
 */
export function substring<const Item>(text: Item & TextOperand<Item>, from: number, count: number): Text<Item> {
  const numbers = [wholeNumber('from', from, 1), wholeNumber('count', count, 0)];
  const rest = numbers.map((operand) => ({ operand, type: { kind: 'int' as const } }));
  return call('substring', [textOperand(text), ...rest], TEXT);
}

/** The text with every occurrence of `search` replaced; of an empty one there is none. @throws FwError `FW_ORM_VALUE` */
export const replace = <const Item>(text: Item & TextOperand<Item>, search: string, by: string): Text<Item> =>
  of('replace', [text, search, by]);

/**
 * The text compared and ordered by a collation of the database, which also says whether case matters: `COLLATE` of SQL. Its name is one of
 * the database's own, such as `de-x-icu`, `utf8mb4_bin` or `NOCASE`; a name with a dot in it stands in double quotes.
 *
 * @param collation - becomes part of the statement: never build it from input
 * @throws FwError `FW_ORM_IDENTIFIER`, `FW_ORM_VALUE` for what is no text
 * @example model(db, Person).orderBy(collate(person.name, 'sv-x-icu').asc())
 */
export function collate<const Item>(text: Item & TextOperand<Item>, collation: string): Text<Item> {
  const { operand, type } = textOperand(text);
  const part: Part = { t: 'collate', collation: declaredName(collation), values: 0 };
  return new ValueExpression(TEXT, (sink) => {
    sink.part(`collate:${collation}`, part);
    appendOperand(sink, operand, type);
  });
}

const TEXT = { kind: 'text' } as const;
const TEXTS: ReadonlySet<ColumnKind> = new Set(['string', 'text', 'enum']);

const of = <Value, From>(name: FunctionName, texts: readonly unknown[]): ValueExpression<Value, From> =>
  call(name, texts.map(textOperand), TEXT);

/** An operand of text. @throws FwError `FW_ORM_VALUE` */
export function textOperand(operand: unknown) {
  const { kind, column } = typeOf(operand);
  const isText = TEXTS.has(kind) && !column?.definition.values?.some((value) => typeof value === 'number');
  if (isText && operand !== null) return { operand, type: TEXT };
  throw operandRefusal('a text', inWords(operand));
}
