import { camelCase, COLUMN_KINDS } from '../../plugins/orm/core/index.js';
import { RESERVED_WORDS } from '../text/index.js';
import type { ModelSource } from './model-source.js';

const FROM_ORM = [
  'columnOf',
  'registerModel',
  'Column',
  'newRow',
  'Writable',
  'writeOnlyKeys',
  'countedKeys',
  'primaryKeys',
  'tableName',
  'viewRows',
] as const;

/** Names in the generated module of a model. */
export interface LocalNames {
  /** The constant with the columns of the model. */
  readonly accessor: string;
  /** The constant with the registration of the model. */
  readonly registration: string;
  /** Local name of a class: the model's own, or the target of a relation. */
  classOf(name: string): string;
  /** Local name of an export of `fw/orm`. */
  ormOf(name: (typeof FROM_ORM)[number]): string;
}

/** Chooses the names of a model's module. Declarations keep their usual names; an import that would clash with one is renamed. */
export function localNames({ name, relations }: ModelSource): LocalNames {
  const words = camelCase(name).replace(/^(?=\d)/, '_');
  const accessor = RESERVED_WORDS.has(words) ? `${words}_` : words;
  const registration = `${words}Model`;
  // Names that the scanner uses: the decoders, and the row that it makes.
  const own = [accessor, registration, `New${name}`, `${name}Path`, 'Exclude', 'row', 'made', ...COLUMN_KINDS];
  const taken = new Set<string>(own);
  const free = (wanted: string): string => {
    let local = wanted;
    while (taken.has(local)) local += '_';
    taken.add(local);
    return local;
  };
  const classes = new Map<string, string>();
  for (const each of [name, ...relations.map(({ target }) => target)])
    if (!classes.has(each)) classes.set(each, free(each));
  const orm = new Map(FROM_ORM.map((each) => [each, free(each)]));
  return {
    accessor,
    registration,
    classOf: (each) => classes.get(each) as string,
    ormOf: (each) => orm.get(each) as string,
  };
}
