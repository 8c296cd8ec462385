import * as typebox from 'typebox';
import { DurationSchema, LONGEST_TIMER, milliseconds, PROFILES, withDefault } from '../../kernel/config/index.js';
import { HTTP_METHODS } from '../../kernel/contracts/http.js';
import { UploadedFile } from '../../kernel/schema/uploaded-file.js';
import { ForeignValue, MarkValue } from './values.js';

type Exports = Readonly<Record<string, unknown>>;

interface Tagged {
  readonly tags?: readonly string[];
}

// A copy of `tag` of fw/docs, so that the plugin need not be loaded for it.
function tag(name: string, routeDoc: Tagged): Tagged {
  return { ...routeDoc, tags: [name, ...(routeDoc.tags ?? []).filter((other) => other !== name)] };
}

const MARKS = ['table', 'db', 'validate', 'json', 'hasOne', 'hasMany', 'belongsTo', 'manyToMany'] as const;

/** The decorators of `fw/orm`: called while sources are read, they record their arguments. */
const marks: Exports = Object.fromEntries(
  MARKS.map((name) => [name, (...args: readonly unknown[]) => new MarkValue(name, args)]),
);

// Functions that are called for real while sources are read: builders without side effects, called with evaluated arguments.
const KNOWN: ReadonlyMap<string, Exports> = new Map(
  Object.entries({
    typebox: { ...typebox, default: typebox.Type },
    fw: { Type: typebox.Type, UploadedFile, withDefault, DurationSchema, LONGEST_TIMER, milliseconds, HTTP_METHODS, PROFILES }, // prettier-ignore
    'fw/orm': marks,
    // Route modules are recognised by their call of `routes`, which is not executed.
    'fw/http': { UploadedFile, routes: new ForeignValue('fw/http', 'routes') },
    'fw/docs': { tag, InputBody: 'body', InputQuery: 'query', InputParams: 'params', InputHeader: 'header' },
  }),
);

/** Exports of a package that the evaluator runs for real; undefined for other packages. */
export function knownModule(specifier: string): Exports | undefined {
  return KNOWN.get(specifier);
}

/** Globals whose value is always the same. */
export const KNOWN_GLOBALS: Exports = {
  undefined,
  NaN,
  Infinity,
  Number: {
    MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
    MIN_SAFE_INTEGER: Number.MIN_SAFE_INTEGER,
    MAX_VALUE: Number.MAX_VALUE,
    EPSILON: Number.EPSILON,
  },
};

const runnable = new Set<unknown>([
  ...functionsOf(typebox),
  ...functionsOf(typebox.Type as unknown as Exports),
  withDefault,
  DurationSchema,
  milliseconds,
  UploadedFile,
  tag,
  ...Object.values(marks),
]);

function functionsOf(exports: object): unknown[] {
  return Object.values(exports).filter((value) => typeof value === 'function');
}

/** Whether a value is one of the decorators of `fw/orm`, before it is called. */
export function isMarkMaker(value: unknown): value is (...args: readonly unknown[]) => MarkValue {
  return Object.values(marks).includes(value);
}

/** Whether a function only passes its arguments on, so that they may contain classes and functions. */
export function handsOn(value: unknown): boolean {
  return value === tag || isMarkMaker(value);
}

/** Whether a function may be run while sources are read. */
export function isRunnable(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === 'function' && runnable.has(value);
}
