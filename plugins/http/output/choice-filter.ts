import type { TSchema } from 'typebox';
import { jsonText, validatorOf } from '../../../kernel/index.js';
import { selfContained } from '../../../kernel/schema/index.js';
import { commonPart } from './common-part.js';
import { type Choice, type Declared, declaredBy, type Kind } from './declared-parts.js';
import type { Filters, Part } from './filter.js';

type Fits = (value: object) => boolean;

/**
 * Filter for values under alternative schemas. All schemas that the value fits count, as for annotations in JSON Schema (2020-12, Core,
 * section 10.2.1.2). If it fits none, only members that all alternatives declare are sent.
 *
 * @param parts - schemas that apply in any case
 */
export function choiceFilter(choice: Choice, parts: readonly Declared[], kind: Kind, compiler: Filters): Part {
  const made = new Map<string, Part>();
  const partOf = (chosen: readonly Declared[], key: string): Part => {
    const known = made.get(key) ?? compiler.part([...parts, ...chosen], kind);
    made.set(key, known);
    return known;
  };
  switch (choice.by) {
    case 'if': {
      const fits = fitting(choice.test);
      return (value, path, onUndeclared) => {
        const part = fits(value) ? partOf(choice.yes, 'yes') : partOf(choice.no, 'no');
        return part(value, path, onUndeclared);
      };
    }
    case 'presence':
      return (value, path, onUndeclared) => {
        const names = [...choice.options.keys()].filter((name) => Object.hasOwn(value, name));
        const chosen = names.map((name) => choice.options.get(name) as Declared);
        return partOf(chosen, JSON.stringify(names))(value, path, onUndeclared);
      };
    case 'fit':
      return alternatives(choice.options, partOf, kind, compiler);
  }
}

function alternatives(
  options: readonly Declared[],
  partOf: (chosen: readonly Declared[], key: string) => Part,
  kind: Kind,
  compiler: Filters,
): Part {
  const alone = options.map((option) => compiler.part([option], kind));
  const fits = options.map((option, at) => {
    const valid = fitting(option);
    // Undeclared members do not make a value invalid for a closed schema, because they are removed anyway.
    return (value: object) => valid(alone[at]?.(value, '', undefined) as object);
  });
  const literals = options.map((option) => literalsOf(option, kind));
  const indexes = options.map((_, at) => at);
  const part = (chosen: readonly number[]) =>
    partOf(
      chosen.map((at) => options[at] as Declared),
      chosen.join(),
    );
  for (const at of indexes) part([at]);
  return (value, path, onUndeclared) => {
    const possible = indexes.filter((at) =>
      (literals[at] as Literals).every(([name, allowed]) => allows(value, name, allowed)),
    );
    if (possible.length === 1) return part(possible)(value, path, onUndeclared);
    const fitted = possible.filter((at) => fits[at]?.(value));
    if (fitted.length > 0) return part(fitted)(value, path, onUndeclared);
    onUndeclared?.(`${path === '' ? 'the whole of it' : path} (fits none of its alternatives)`);
    const left = (possible.length > 0 ? possible : indexes).map((at) => part([at])(value, path, undefined));
    return left.reduce(commonPart);
  };
}

function fitting(option: Declared): Fits {
  const validator = validatorOf(selfContained(option.schema, option.scope) as TSchema);
  return (value) => validator.check(JSON.parse(seenText(value))).length === 0;
}

// As a client sees it: dates and bigints as text, undefined members gone, and collections, which are `{}` otherwise, as they are declared.
function seenText(value: object): string {
  const text = jsonText(value);
  return text.includes('{}') ? JSON.stringify(value, collectionAsData) : text;
}

function collectionAsData(_name: string, value: unknown): unknown {
  if (value instanceof Set) return [...(value as Set<unknown>)];
  if (value instanceof Map) return Object.fromEntries(value as Map<string, unknown>);
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Members with a fixed set of texts, numbers, booleans or null, by which alternatives are distinguished quickly. */
type Literals = readonly (readonly [name: string, allowed: ReadonlySet<unknown>])[];

function literalsOf(option: Declared, kind: Kind): Literals {
  if (kind === 'array') return [];
  return declaredBy([option], kind).parts.flatMap(({ schema }) => {
    const properties = Object.entries((schema['properties'] as Readonly<Record<string, unknown>> | undefined) ?? {});
    return properties.flatMap(([name, member]) => {
      const allowed = literalValues(member);
      return allowed ? [[name, new Set(allowed)] as const] : [];
    });
  });
}

function literalValues(member: unknown): readonly unknown[] | undefined {
  if (typeof member !== 'object' || member === null) return undefined;
  const { const: only, enum: some, anyOf } = member as { const?: unknown; enum?: unknown; anyOf?: unknown };
  const values = 'const' in member ? [only] : Array.isArray(some) ? (some as unknown[]) : undefined;
  if (values) return values.every((value) => typeof value !== 'object' || value === null) ? values : undefined;
  if (!Array.isArray(anyOf)) return undefined;
  const parts = anyOf.map(literalValues);
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

// A missing member, or one whose JSON form is not obvious, does not decide.
function allows(value: object, name: string, allowed: ReadonlySet<unknown>): boolean {
  const found = (value as Record<string, unknown>)[name];
  if (found === undefined || (typeof found === 'object' && found !== null) || typeof found === 'bigint') return true;
  return allowed.has(found);
}
