import type { TSchema } from 'typebox';
import { isObject } from '../../../kernel/values/index.js';
import { isSchema, type JsonSchema, RefScope } from '../../../kernel/index.js';
import { readBoolean, readMember, readNull, readNumber } from '../../../kernel/schema/index.js';
import { BracketTree } from './bracket-tree.js';
import { ONE_VALUE, type TextStyle } from './text-style.js';
import { firstFitting, fitting } from './union-branch.js';

/**
 * Gives a value that arrived as text (in a query, path, header or form) the types that its schema declares. Text that is no such value is
 * not converted, and the validator refuses it. The input is not modified.
 */
type TextReader = (value: unknown) => unknown;

/**
 * The reader of a schema; undefined when it takes text as it is.
 *
 * @param style - how lists and objects are written in one text; default a text is a list of one, and no object
 */
export function textReaderOf(schema: TSchema, style?: TextStyle): TextReader | undefined {
  return new ReaderCompiler(style).readerOf(schema as JsonSchema, new RefScope(schema as JsonSchema));
}

class ReaderCompiler {
  readonly #made = new Map<JsonSchema, TextReader | undefined>();

  constructor(private readonly style: TextStyle = ONE_VALUE) {}

  readerOf(schema: JsonSchema, outer: RefScope): TextReader | undefined {
    if (this.#made.has(schema)) return this.#made.get(schema);
    // A recursive schema refers to its reader before it is made.
    this.#made.set(schema, (value) => read(this.#made.get(schema), value));
    const reader = inTurn(this.#partsOf(schema, outer.entering(schema)));
    this.#made.set(schema, reader);
    return reader;
  }

  #partsOf(schema: JsonSchema, scope: RefScope): (TextReader | undefined)[] {
    const { $ref, allOf, anyOf, oneOf } = schema;
    const target = typeof $ref === 'string' ? scope.find($ref) : undefined;
    return [
      target && this.readerOf(target.schema, target.scope),
      ...schemasIn(allOf).map((part) => this.readerOf(part, scope)),
      this.#unionReader(schemasIn(anyOf ?? oneOf), scope),
      this.#typedReader(schema, scope),
      this.#conditionalReader(schema, scope),
    ];
  }

  // `if` is evaluated on the value that the other keywords have converted.
  #conditionalReader({ if: condition, then, else: otherwise }: JsonSchema, scope: RefScope): TextReader | undefined {
    if (!isSchema(condition)) return undefined;
    const [asked, one, other] = [condition, then, otherwise].map((part) =>
      isSchema(part) ? this.readerOf(part, scope) : undefined,
    );
    if (one === undefined && other === undefined) return asked;
    const holds = fitting(condition, scope);
    return (value) => {
      const reading = read(asked, value);
      return holds(reading) ? read(one, reading) : read(other, value);
    };
  }

  #typedReader(schema: JsonSchema, scope: RefScope): TextReader | undefined {
    const { type } = schema;
    if (Array.isArray(type)) {
      const alternatives = type.map((one: unknown) => ({ ...schema, type: one }));
      return this.#unionReader(alternatives, scope);
    }
    if (type === 'integer' || type === 'number') return readNumber;
    if (type === 'boolean') return readBoolean;
    if (type === 'null') return readNull;
    if (type === 'array') return this.#listReader(schema, scope);
    if (type === 'object' || 'properties' in schema) return this.#objectReader(schema, scope);
    return type === undefined ? readMember(schema) : undefined;
  }

  #listReader({ items, prefixItems }: JsonSchema, scope: RefScope): TextReader {
    const places = schemasIn(Array.isArray(items) ? items : prefixItems).map((item) => this.readerOf(item, scope));
    const others = isSchema(items) ? this.readerOf(items, scope) : undefined;
    return (value) => {
      // A single value may belong to a list, because a query with one value looks the same.
      const texts = typeof value === 'string' ? this.style.list(value) : [value].flat();
      const list: readonly unknown[] = value instanceof BracketTree ? value.asList() : texts;
      return list.map((item, index) => read(index < places.length ? places[index] : others, item));
    };
  }

  #objectReader(schema: JsonSchema, scope: RefScope): TextReader {
    const { additionalProperties } = schema;
    const readObject = (value: unknown): unknown => {
      if (value instanceof BracketTree) return value.asObject();
      return typeof value === 'string' ? this.style.object(value) : value;
    };
    const named = this.#readersOf(schema['properties'], scope);
    const patterns = [...this.#readersOf(schema['patternProperties'], scope)];
    const others = isSchema(additionalProperties) ? this.readerOf(additionalProperties, scope) : undefined;
    if (patterns.length > 0 || others) return openObjectReader(named, patterns, others, readObject);
    const readers = [...named].flatMap(([name, reader]) => (reader ? [[name, reader] as const] : []));
    if (readers.length === 0) return readObject;
    return (given) => {
      const value = readObject(given);
      if (!isObject(value)) return value;
      const members = { ...value };
      for (const [name, reader] of readers) if (Object.hasOwn(members, name)) members[name] = reader(members[name]);
      return members;
    };
  }

  #readersOf(schemas: unknown, scope: RefScope): ReadonlyMap<string, TextReader | undefined> {
    const entries = isSchema(schemas) ? Object.entries(schemas) : [];
    return new Map(entries.map(([name, each]) => [name, isSchema(each) ? this.readerOf(each, scope) : undefined]));
  }

  #unionReader(branches: readonly JsonSchema[], scope: RefScope): TextReader | undefined {
    const readers = branches.map((branch) => this.readerOf(branch, scope));
    if (readers.every((reader) => reader === undefined)) return undefined;
    const choose = firstFitting(branches, scope);
    return (value) => {
      const readings = readers.map((reader) => read(reader, value));
      const chosen = choose(readings);
      return chosen === undefined ? value : readings[chosen];
    };
  }
}

// The client chooses the member names, so members are defined and not assigned: a name may be special for objects.
function openObjectReader(
  named: ReadonlyMap<string, TextReader | undefined>,
  patterns: readonly (readonly [pattern: string, reader: TextReader | undefined])[],
  others: TextReader | undefined,
  readObject: TextReader,
): TextReader {
  const matchers = patterns.map(([pattern, reader]) => [new RegExp(pattern, 'u'), reader] as const);
  const readerFor = (name: string) =>
    named.has(name) ? named.get(name) : (matchers.find(([pattern]) => pattern.test(name))?.[1] ?? others);
  return (given) => {
    const value = readObject(given);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, read(readerFor(name), member)]));
  };
}

function inTurn(readers: readonly (TextReader | undefined)[]): TextReader | undefined {
  const given = readers.filter((reader) => reader !== undefined);
  return given.length <= 1 ? given[0] : (value) => given.reduce((before, reader) => reader(before), value);
}

function read(reader: TextReader | undefined, value: unknown): unknown {
  return reader ? reader(value) : value;
}

function schemasIn(list: unknown): readonly JsonSchema[] {
  return Array.isArray(list) ? list.filter(isSchema) : [];
}
