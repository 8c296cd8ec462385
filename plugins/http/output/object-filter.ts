import type { JsonSchema } from '../../../kernel/index.js';
import { isSchema } from '../../../kernel/schema/index.js';
import { type Declared, declared, saysMembers } from './declared-parts.js';
import { ALL, type Filter, type Filters, type Part } from './filter.js';
import { sentValue } from './sent-value.js';

type Members = Record<string, unknown>;

/** Declaration of a member: everything, a part of it, or nothing. */
type Member = Filter | typeof WHOLE | null;

const WHOLE = Symbol('the whole of it');

/** Positions of members whose names are remembered. */
const MOST_LEARNED = 64;

/** Declarations of one schema about members of objects. */
interface Facet {
  readonly named: ReadonlyMap<string, Declared>;
  readonly patterns: readonly { readonly matches: RegExp; readonly member: Declared }[];
  /** Declaration of other members; undefined when it declares none. */
  readonly others: Declared | undefined;
}

/** Filter for objects under schemas that all apply, without a choice. */
export function objectFilter(parts: readonly Declared[], compiler: Filters): Part {
  const facets = parts.filter((part) => saysMembers(part, 'object')).map(facetOf);
  if (facets.length === 0) return ALL;
  const named = namedMembers(facets, compiler);
  const other = otherMembers(facets, compiler);
  const isOpen = facets.every(({ patterns }) => patterns.length === 0) && other('') === WHOLE;
  if (isOpen && [...named.values()].every((member) => member === WHOLE)) return ALL;
  // Rows of a list, and answers of a route, mostly have the same members in the same order: to compare a name with the one that stood there
  // last takes a fraction of the time of a map. Of the few that differ, as keys of a record do, the last one is remembered.
  const names: string[] = [];
  const members: Member[] = [];
  const learned = (key: string, at: number): Member => {
    const own = named.get(key);
    const member = own === undefined ? other(key) : own;
    if (at < MOST_LEARNED) {
      names[at] = key;
      members[at] = member;
    }
    return member;
  };
  return (value, path, onUndeclared) => {
    const given = value as Members;
    let copy: Members | undefined;
    let at = 0;
    // A copy of all of the members is made quicker than one member by member.
    let isWhole = false;
    // Much quicker than a list of the keys. Inherited members, which JSON does not have, come last.
    for (const key in given) {
      if (!isOwn.call(given, key)) break;
      const found = given[key];
      const member = names[at] === key ? (members[at] as Member) : learned(key, at);
      at++;
      let sent = found;
      if (member === null) {
        if (!isWritten(found)) continue;
        onUndeclared?.(below(path, key));
        if (copy === undefined || isWhole) copy = copyUntil(key, copy ?? given);
        isWhole = false;
        continue;
      }
      if (member !== WHOLE && ((typeof found === 'object' && found !== null) || typeof found === 'function'))
        sent = sentValue(found, key, member, onUndeclared ? below(path, key) : '', onUndeclared);
      if (sent !== found && copy === undefined) {
        copy = { ...given };
        isWhole = true;
      }
      if (copy && (!isWhole || sent !== found)) put(copy, key, sent);
    }
    return copy ?? value;
  };
}

// Whether JSON includes a value; others are never sent (ECMA-262, SerializeJSONObject).
function isWritten(value: unknown): boolean {
  if (typeof value === 'function') return 'toJSON' in value;
  return value !== undefined && typeof value !== 'symbol';
}

const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

// Engines know that a key of the loop is an own one for this method alone.
const { hasOwnProperty: isOwn } = Object.prototype;

function copyUntil(end: string, value: Members): Members {
  const copy: Members = {};
  for (const key in value) {
    if (key === end) break;
    put(copy, key, value[key]);
  }
  return copy;
}

function put(copy: Members, key: string, value: unknown): void {
  if (key !== '__proto__') copy[key] = value;
  else Object.defineProperty(copy, key, { value, enumerable: true });
}

function facetOf({ schema, scope }: Declared): Facet {
  const of = (part: unknown) => declared(part, scope);
  const patterns = entriesOf(schema['patternProperties']);
  const all = patterns.find(([pattern]) => ALL_NAMES.has(pattern));
  const others = all?.[1] ?? schema['additionalProperties'] ?? schema['unevaluatedProperties'] ?? false;
  return {
    named: new Map(entriesOf(schema['properties']).map(([name, part]) => [name, of(part)])),
    patterns: patterns
      .filter((each) => each !== all)
      .map(([pattern, part]) => ({ matches: new RegExp(pattern, 'u'), member: of(part) })),
    others: others === false ? undefined : of(others),
  };
}

// Patterns of a record with any key.
const ALL_NAMES: ReadonlySet<string> = new Set(['', '.*', '^.*', '.*$', '^.*$', '^(.*)$']);

const entriesOf = (map: unknown): [string, unknown][] => (isSchema(map) ? Object.entries(map as JsonSchema) : []);

function namedMembers(facets: readonly Facet[], compiler: Filters): ReadonlyMap<string, Member> {
  const names = new Set(facets.flatMap(({ named }) => [...named.keys()]));
  return new Map([...names].map((name) => [name, memberOf(partsFor(name, facets), compiler)]));
}

function otherMembers(facets: readonly Facet[], compiler: Filters): (name: string) => Member {
  const usual = memberOf(
    facets.flatMap(({ others }) => others ?? []),
    compiler,
  );
  const patterns = facets.flatMap(({ patterns }) => patterns);
  if (patterns.length === 0) return () => usual;
  const made = new Map<string, Member>();
  return (name) => {
    const key = patterns.map(({ matches }) => (matches.test(name) ? 1 : 0)).join('');
    const known = made.get(key);
    if (known !== undefined) return known;
    const member = memberOf(partsFor(name, facets), compiler);
    made.set(key, member);
    return member;
  };
}

function partsFor(name: string, facets: readonly Facet[]): readonly Declared[] {
  return facets.flatMap(({ named, patterns, others }) => {
    const own = named.get(name);
    const found = [
      ...(own ? [own] : []),
      ...patterns.filter(({ matches }) => matches.test(name)).map(({ member }) => member),
    ];
    return found.length > 0 ? found : (others ?? []);
  });
}

function memberOf(parts: readonly Declared[], compiler: Filters): Member {
  // A member whose schema nothing fits is not declared.
  if (parts.length === 0 || parts.some(({ schema }) => isNever(schema))) return null;
  const filter = compiler.filter(parts);
  return filter.object === ALL && filter.array === ALL && !filter.base64 ? WHOLE : filter;
}

function isNever({ not }: JsonSchema): boolean {
  return isSchema(not) && Object.keys(not).length === 0;
}
