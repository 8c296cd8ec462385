import { isObject } from '../../../kernel/values/index.js';

/** One value that differs. */
export interface Difference {
  /** Dotted; elements of lists by their name: `middleware.cors.origins`. */
  readonly path: string;
  /** null when missing. */
  readonly from: unknown;
  readonly to: unknown;
}

/** Values of a proposal that differ from the current ones. Values that it leaves out stay unchanged. */
export function differences(current: object, proposed: object): readonly Difference[] {
  return [...between(current, proposed, '')].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function* between(from: unknown, to: unknown, path: string): Generator<Difference> {
  if (isKeyed(to)) yield* elements(isKeyed(from) ? from : [], to, path);
  else if (isObject(to) && (isObject(from) || from === undefined)) {
    for (const [name, value] of Object.entries(to))
      yield* between((from as Section | undefined)?.[name], value, join(path, name));
  } else if (JSON.stringify(from) !== JSON.stringify(to)) yield { path, from: from ?? null, to };
}

type Section = Readonly<Record<string, unknown>>;

function* elements(from: readonly Section[], to: readonly Section[], path: string): Generator<Difference> {
  for (const element of to) {
    const key = keyOf(element);
    const present = from.find((each) => keyOf(each) === key);
    if (present) yield* between(present, element, join(path, key));
    else yield { path: join(path, key), from: null, to: element };
  }
}

const isKeyed = (value: unknown): value is readonly Section[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isObject(each) && keyOf(each) !== '');
const keyOf = (element: Section): string => String(element['name'] ?? element['resource'] ?? '');
const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
