import { readDefault, type ColumnInfo, type Dialect } from '../core/index.js';
import { defaultMeaning, sameDefault, type DefaultMeaning } from '../schema/default-text.js';

/**
 * The option of a tag that gives a column the default that it has in the database.
 *
 * @param column - as the declaration has it
 * @param text - of the default, as the database shows it
 * @returns undefined where the dialect has no words for it, as for most expressions
 */
export function defaultOption(column: ColumnInfo, text: string, { schema }: Dialect): string | undefined {
  const meaning = defaultMeaning(text, schema.introspection);
  const elements = meaning.is === 'literal' && column.kind === 'array' ? schema.readList?.(meaning.text) : undefined;
  const list = elements ? [listOf(elements, column)] : [];
  // Each format of a time has words of its own for now.
  const now = column.definition.format === undefined ? [] : ['now'];
  const said = [...list, ...candidates(meaning), ...now].find((each) => {
    // Such as a word of the database for a time is none of the column's kind.
    const isOption = tagValue(each) !== undefined && readDefault(column.definition, each) !== undefined;
    return isOption && sameDefault(schema.defaultValue(column, each), text, column.kind, schema.introspection);
  });
  return said === undefined ? undefined : `default=${tagValue(said)}`;
}

function candidates(meaning: DefaultMeaning): readonly string[] {
  if (meaning.is === 'none') return [];
  if (meaning.is === 'now' || meaning.is === 'today') return [meaning.is];
  if (meaning.is === 'expression') return [meaning.text.replace(/\(\)$/, '')];
  // MySQL and MariaDB show a backslash as two (https://dev.mysql.com/doc/refman/8.0/en/string-literals.html).
  return [meaning.text, meaning.text.replaceAll('\\\\', '\\')];
}

// A tag has lists as JSON.
function listOf(elements: readonly unknown[], { definition }: ColumnInfo): string {
  const isNumeric = definition.element === 'int' || definition.element === 'float';
  return JSON.stringify(elements.map((each) => (isNumeric && each !== null ? Number(each) : each)));
}

/** A text as the tag grammar takes it behind `default=`; undefined for one that it cannot hold. */
function tagValue(text: string): string | undefined {
  if (/\\,|\\$|[^\S ]$/.test(text)) return undefined;
  return text.replaceAll(',', '\\,').replace(/ $/, '\\ ');
}
