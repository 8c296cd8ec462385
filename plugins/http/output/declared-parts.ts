import type { JsonSchema } from '../../../kernel/index.js';
import { isSchema, type RefScope, schemaOfExample, UnknownReference } from '../../../kernel/schema/index.js';

/** Kind of a JSON value with members. */
export type Kind = 'object' | 'array';

/** A schema that applies to a value. */
export interface Declared {
  readonly schema: JsonSchema;
  /** Where its references lead. */
  readonly scope: RefScope;
  /** Number of its {@link Choice}s that are decided. */
  readonly settled: number;
}

/** Alternative schemas, of which the value decides. */
export type Choice =
  | { readonly by: 'fit'; readonly options: readonly Declared[] }
  | {
      readonly by: 'if';
      readonly test: Declared;
      readonly yes: readonly Declared[];
      readonly no: readonly Declared[];
    }
  | { readonly by: 'presence'; readonly options: ReadonlyMap<string, Declared> };

/** Declarations of some schemas about values of one kind. */
interface DeclaredParts {
  /** The schemas, with those that they include by `$ref` and `allOf`. */
  readonly parts: readonly Declared[];
  /** The next choice; its schema is among `parts` as one that has decided it. */
  readonly choice?: Choice;
  /** Whether a value of the kind is declared at all. */
  readonly admits: boolean;
}

const OBJECT_WORDS = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];
const ARRAY_WORDS = ['items', 'prefixItems', 'unevaluatedItems'];

// Deepest nesting of unions; ends circular ones.
const MAX_DEPTH = 8;

/** Whether a schema declares members of values of the kind. */
export function saysMembers({ schema }: Declared, kind: Kind): boolean {
  return (kind === 'object' ? OBJECT_WORDS : ARRAY_WORDS).some((word) => word in schema);
}

/** A part of a schema as a declaration of its own; `false` becomes a schema that nothing fits. */
export function declared(part: unknown, scope: RefScope): Declared {
  const schema = isSchema(part) ? part : part === false ? { not: {} } : {};
  return { schema, scope: scope.entering(schema), settled: 0 };
}

/** Expands schemas for a value of the kind, and gives the next choice. */
export function declaredBy(given: readonly Declared[], kind: Kind, depth = 0): DeclaredParts {
  let parts = expanded(given);
  for (;;) {
    if (depth > MAX_DEPTH || !parts.every((part) => admitsByItself(part.schema, kind))) return { parts, admits: false };
    const at = parts.findIndex(({ schema, settled }) => settled < choicesOf(schema).length);
    if (at < 0) return { parts, admits: true };
    const chooser = parts[at] as Declared;
    const choice = choiceOf(chooser);
    parts = parts.with(at, { ...chooser, settled: chooser.settled + 1 });
    if (choice.by !== 'fit') return { parts, choice, admits: true };
    const options = choice.options.filter((option) => declaredBy([option], kind, depth + 1).admits);
    if (options.length === 0) return { parts, admits: false };
    if (options.length > 1) return { parts, choice: { ...choice, options }, admits: true };
    // Alternatives for other kinds of values, such as null, are dropped.
    parts = expanded([...parts, ...options]);
  }
}

/** Whether bytes are declared, which JSON has as base64 text. */
export function saysBase64(given: readonly Declared[], depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  return expanded(given).some(({ schema, scope }) => {
    const options = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
    const isOption = (option: unknown) => saysBase64([declared(option, scope)], depth + 1);
    return schema['contentEncoding'] === 'base64' || options.some(isOption);
  });
}

function expanded(given: readonly Declared[]): readonly Declared[] {
  const found = new Map<JsonSchema, Declared>();
  const pending = [...given];
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { schema, scope } = next;
    const known = found.get(schema);
    if (known && known.settled >= next.settled) continue;
    found.set(schema, next);
    if (known) continue;
    for (const word of ['$ref', '$dynamicRef'])
      if (typeof schema[word] === 'string') pending.push(referred(schema[word], scope));
    for (const part of listOf(schema['allOf'])) pending.push(declared(part, scope));
    if (isSchema(schema['const'])) pending.push(declared(schemaOfExample(schema['const']), scope));
  }
  return [...found.values()];
}

function referred(reference: string, scope: RefScope): Declared {
  const found = scope.find(reference);
  if (found === undefined) throw new UnknownReference(reference);
  return { schema: found.schema, scope: found.scope, settled: 0 };
}

function admitsByItself(schema: JsonSchema, kind: Kind): boolean {
  const { type, not } = schema;
  if (isSchema(not) && Object.keys(not).length === 0) return false;
  if ('const' in schema) return kindOf(schema['const']) === kind;
  if (Array.isArray(schema['enum'])) return schema['enum'].some((value) => kindOf(value) === kind);
  if (type !== undefined) return Array.isArray(type) ? type.includes(kind) : type === kind;
  const [own, other] = kind === 'object' ? [OBJECT_WORDS, ARRAY_WORDS] : [ARRAY_WORDS, OBJECT_WORDS];
  return own.some((word) => word in schema) || !other.some((word) => word in schema);
}

function kindOf(value: unknown): Kind | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? 'array' : 'object';
}

const CHOICES = ['anyOf', 'oneOf', 'enum', 'if', 'dependentSchemas'];

function choicesOf(schema: JsonSchema): readonly string[] {
  return CHOICES.filter((word) => (word === 'enum' ? listOf(schema[word]).some(kindOf) : schema[word] !== undefined));
}

function choiceOf({ schema, scope, settled }: Declared): Choice {
  const word = choicesOf(schema)[settled] as string;
  const of = (part: unknown) => declared(part, scope);
  switch (word) {
    case 'if': {
      const test = of(schema['if']);
      return { by: 'if', test, yes: [test, of(schema['then'] ?? true)], no: [of(schema['else'] ?? true)] };
    }
    case 'dependentSchemas': {
      const entries = Object.entries(isSchema(schema[word]) ? schema[word] : {});
      return { by: 'presence', options: new Map(entries.map(([name, part]) => [name, of(part)])) };
    }
    case 'enum':
      return { by: 'fit', options: listOf(schema[word]).map((value) => of({ const: value })) };
    default:
      return { by: 'fit', options: listOf(schema[word]).map(of) };
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
