import { decoded } from '../schema/ref-scope.js';

/**
 * Which schemas of a document lead to which others by `$ref`. Pointers are compared without their percent-encoding: documents encode more or
 * fewer characters of the same one (RFC 6901, section 6).
 */
export class SchemaReferences {
  readonly #objects: ReadonlyMap<string, object>;
  /** Pointers that each pointer leads to, directly or through others. */
  readonly #reached = new Map<string, ReadonlySet<string>>();
  /** Pointers that a schema and the schemas in it refer to. */
  readonly #direct = new Map<string, readonly string[]>();

  /** @param pointers - the objects of the document, with their JSON pointers, percent-encoded */
  constructor(pointers: ReadonlyMap<object, string>) {
    this.#objects = new Map([...pointers].map(([object, pointer]) => [decoded(pointer), object]));
  }

  /** Whether a schema is in another one, or in one that this leads to. Both are JSON pointers, percent-encoded. */
  leadFrom(from: string, to: string): boolean {
    const start = decoded(from);
    const reached = this.#reachedFrom(start);
    return withOuter(decoded(to)).some((each) => each === start || reached.has(each));
  }

  #reachedFrom(start: string): ReadonlySet<string> {
    const known = this.#reached.get(start);
    if (known) return known;
    const reached = new Set<string>(this.#referencesIn(start));
    for (const each of reached) for (const next of this.#referencesIn(each)) reached.add(next);
    this.#reached.set(start, reached);
    return reached;
  }

  // Iterative, because a document may be nested deeper than the stack allows.
  #referencesIn(pointer: string): readonly string[] {
    const known = this.#direct.get(pointer);
    if (known) return known;
    const found = new Set<string>();
    const objects = new Set<object>([this.#objects.get(pointer) ?? {}]);
    for (const object of objects) {
      for (const [name, value] of Object.entries(object) as [string, unknown][]) {
        if (name === '$ref' && typeof value === 'string' && value.startsWith('#')) found.add(decoded(value.slice(1)));
        if (typeof value === 'object' && value !== null) objects.add(value);
      }
    }
    this.#direct.set(pointer, [...found]);
    return [...found];
  }
}

function withOuter(pointer: string): readonly string[] {
  const parts = pointer.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
