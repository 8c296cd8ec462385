import { fwError } from '../../../kernel/errors/index.js';
import { withArticle } from './article.js';
import { camelCase, kebabCase, plural, snakeCase } from '../../../plugins/orm/core/index.js';
import { RESERVED_WORDS } from '../../text/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

/** Words of the language and globals that generated code relies on: a class of that name would break it. */
const TAKEN = new Set([
  'Array', 'Boolean', 'Buffer', 'Database', 'Date', 'Error', 'Function', 'Int', 'Json', 'JSON', 'Map', 'Math', 'Number',
  'Object', 'Promise', 'Record', 'Set', 'String', 'Symbol', 'Type', 'Text', 'Uuid', 'Float', 'Decimal', 'PlainDate', 'PlainTime', 'Interval', 'BelongsTo', 'HasMany',
]); // prettier-ignore

/** The spellings of one name. */
export interface Names {
  /** `OrderLine` */
  readonly pascal: string;
  /** `orderLine` */
  readonly camel: string;
  /** `order-line`, the stem of files. */
  readonly kebab: string;
  /** `order_line` */
  readonly snake: string;
  /** `order line`, for sentences. */
  readonly words: string;
  /** `an order line` */
  readonly one: string;
  /** `OrderLines` */
  readonly plural: string;
  /** `orderLines` */
  readonly pluralCamel: string;
  /** `order-lines`, the stem of paths. */
  readonly pluralKebab: string;
  /** `order lines` */
  readonly pluralWords: string;
}

/**
 * Checks a name and spells it in every way that files need.
 * @param given - an identifier that starts with a capital
 * @param givenPlural - where English is irregular
 * @throws FwError `FW_SCHEMATIC_NAME`
 */
export function namesOf(given: string, givenPlural = ''): Names {
  const pascal = checked(given);
  const manyPascal = givenPlural === '' ? pluralOf(pascal) : checked(givenPlural);
  const words = snakeCase(pascal).replaceAll('_', ' ');
  return {
    pascal,
    camel: lowered(pascal),
    kebab: kebabCase(pascal),
    snake: snakeCase(pascal),
    words,
    one: withArticle(words),
    plural: manyPascal,
    pluralCamel: lowered(manyPascal),
    pluralKebab: kebabCase(manyPascal),
    pluralWords: snakeCase(manyPascal).replaceAll('_', ' '),
  };
}

function checked(name: string): string {
  const isTaken = TAKEN.has(name) || RESERVED_WORDS.has(lowered(name));
  if (!/^[A-Z][A-Za-z0-9]{0,63}$/.test(name) || isTaken) {
    const expected = isTaken
      ? 'a name that TypeScript or the framework does not use itself'
      : 'letters and digits, the first a capital, at most 64, e.g. OrderLine';
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NAME, { name, expected });
  }
  return name;
}

// The name in camelCase, as code generation names the model's columns.
function lowered(pascal: string): string {
  return camelCase(snakeCase(pascal));
}

function pluralOf(pascal: string): string {
  const last = /[A-Z][a-z0-9]*$/.exec(pascal)?.[0] ?? pascal;
  const many = plural(last.toLowerCase());
  return pascal.slice(0, pascal.length - last.length) + many.charAt(0).toUpperCase() + many.slice(1);
}
