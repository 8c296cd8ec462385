import type { JsonSchema } from '../../kernel/contracts/index.js';
import { isSchema, RefScope } from '../../kernel/schema/index.js';
import { typeAliasText } from '../text/index.js';
import { isObjectShape, type Member, membersOf, ownName, plainNode } from '../../plugins/docs/index.js';

/** Whether a type is that of a request or of a response: a request may leave out a member with a default. */
export type Direction = 'input' | 'output';

interface Place {
  readonly scope: RefScope;
  readonly direction: Direction;
}

const SIMPLE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'string',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    null: 'null',
  }),
);

/** Writes schemas as TypeScript types. Named types are declared once, so that they may refer to themselves. */
export class TypeText {
  readonly #declared = new Map<string, string>();
  /** Name of each declared type by its direction and {@link wholeText}. */
  readonly #names = new Map<string, string>();

  /** @param reserved - names that the module uses itself */
  constructor(readonly reserved: ReadonlySet<string> = new Set()) {}

  /** Declarations of the types with a name, sorted. */
  declarations(): readonly string[] {
    return [...this.#declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => typeAliasText(name, text));
  }

  /** The type of a schema. */
  of(schema: JsonSchema, direction: Direction): string {
    return this.#type(schema, { scope: new RefScope(schema), direction });
  }

  /** The type of a group of parameters, and whether all of them may be left out. */
  ofGroup(schema: JsonSchema): { readonly text: string; readonly isOptional: boolean } {
    const members = membersOf(schema);
    const text = object(members.map((member) => this.#groupMember(member)));
    return { text, isOptional: members.every(({ required }) => !required) };
  }

  #groupMember({ name, schema, scope = new RefScope(schema), required }: Member): string {
    return `${key(name)}${required ? '' : '?'}: ${this.#type(schema, { scope, direction: 'input' })}`;
  }

  #type(given: unknown, outer: Place): string {
    if (!isSchema(given)) return given === false ? 'never' : 'unknown';
    const place = { ...outer, scope: outer.scope.entering(given) };
    const schema = plainNode(given);
    if (typeof schema['$ref'] === 'string') return this.#referred(schema['$ref'], place);
    const name = isObjectShape(schema) ? ownName(schema) : '';
    return name === '' ? this.#unnamed(schema, place) : this.#named(name, schema, place);
  }

  #referred(reference: string, { scope, direction }: Place): string {
    const found = scope.find(reference);
    if (!found) return 'unknown';
    const name = ownName(found.schema) || ownName({ $id: found.name }) || 'Recursive';
    return this.#named(name, found.schema, { scope: found.scope, direction });
  }

  #named(name: string, schema: JsonSchema, place: Place): string {
    const whole = wholeText(schema, place.scope);
    const known = this.#names.get(`${place.direction} ${whole}`) ?? this.#ofOtherDirection(name, whole, place);
    if (known !== undefined) return known;
    const free = this.#freeName(name);
    this.#names.set(`${place.direction} ${whole}`, free);
    this.#declared.set(free, '');
    this.#declared.set(free, this.#unnamed(plainNode(schema), place));
    return free;
  }

  // Requests and responses share a type, unless a default makes them differ.
  #ofOtherDirection(name: string, whole: string, { direction }: Place): string | undefined {
    const other = this.#names.get(`${direction === 'input' ? 'output' : 'input'} ${whole}`);
    if (other === undefined || whole.includes('"default"')) return undefined;
    this.#names.set(`${direction} ${whole}`, other);
    return other.startsWith(name) ? other : undefined;
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#declared.has(name) || this.reserved.has(name); number++) name = `${wanted}${number}`;
    return name;
  }

  #unnamed(schema: JsonSchema, place: Place): string {
    const { enum: values, type } = schema;
    if ('const' in schema) return literal(schema['const']);
    if (Array.isArray(values)) return union(values.map(literal));
    const own = Array.isArray(type)
      ? union(type.map((one) => this.#typed({ ...schema, type: one as string }, place)))
      : this.#typed(schema, place);
    return this.#combined(own, schema, place);
  }

  #combined(own: string, schema: JsonSchema, place: Place): string {
    const parts = (keyword: string) =>
      (Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : []).map((part) => this.#type(part, place));
    const either = [...parts('anyOf'), ...parts('oneOf')];
    const all = [...(own === 'unknown' ? [] : [own]), ...parts('allOf'), ...(either.length > 0 ? [union(either)] : [])];
    if (all.length === 0) return own;
    return all.length === 1 ? (all[0] as string) : all.map(inParentheses).join(' & ');
  }

  #typed(schema: JsonSchema, place: Place): string {
    const { type, not } = schema;
    if (type === 'array') return this.#array(schema, place);
    if (type === 'object' || isObjectShape(schema)) return this.#object(schema, place);
    if (typeof type === 'string') return SIMPLE.get(type) ?? 'unknown';
    return isSchema(not) && Object.keys(not).length === 0 ? 'never' : 'unknown';
  }

  #array({ items, prefixItems }: JsonSchema, place: Place): string {
    const rest = items === undefined ? 'unknown' : this.#type(items, place);
    if (!Array.isArray(prefixItems)) return `${inParentheses(rest)}[]`;
    const first = prefixItems.map((item) => this.#type(item, place));
    return `[${[...first, ...(items === false ? [] : [`...${inParentheses(rest)}[]`])].join(', ')}]`;
  }

  #object(schema: JsonSchema, place: Place): string {
    const required = new Set((schema['required'] as readonly string[] | undefined) ?? []);
    const members = Object.entries((schema['properties'] as JsonSchema | undefined) ?? {}).map(([name, member]) => {
      const mayMiss =
        !required.has(name) || (place.direction === 'input' && isSchema(member) && member['default'] !== undefined);
      return `${key(name)}${mayMiss ? '?' : ''}: ${this.#type(member, place)}`;
    });
    if (members.length > 0) return object(members);
    const { additionalProperties, patternProperties } = schema;
    const values = [
      ...Object.values((patternProperties as JsonSchema | undefined) ?? {}),
      ...(isSchema(additionalProperties) ? [additionalProperties] : []),
    ];
    if (values.length > 0) return `Record<string, ${union(values.map((value) => this.#type(value, place)))}>`;
    return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
  }
}

/** A schema with all that its references lead to, as text: the same references mean something else in another schema. */
function wholeText(schema: JsonSchema, scope: RefScope): string {
  const referred = new Set<string>();
  collectReferred(schema, scope, referred);
  return [JSON.stringify(schema), ...referred].join(' ');
}

function collectReferred(part: unknown, scope: RefScope, texts: Set<string>): void {
  if (Array.isArray(part)) for (const each of part) collectReferred(each, scope, texts);
  if (!isSchema(part)) return;
  const inside = scope.entering(part);
  const found = typeof part['$ref'] === 'string' ? inside.find(part['$ref']) : undefined;
  const text = JSON.stringify(found?.schema);
  if (found && !texts.has(text)) {
    texts.add(text);
    collectReferred(found.schema, found.scope, texts);
  }
  for (const each of Object.values(part)) collectReferred(each, inside, texts);
}

/** A member name, quoted where TypeScript requires it. */
function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function object(members: readonly string[]): string {
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`;
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) return 'never';
  return distinct.length === 1 ? (distinct[0] as string) : distinct.map(inParentheses).join(' | ');
}

// Puts a type into parentheses unless it is a name, a literal or already closed.
function inParentheses(type: string): string {
  return /^(?:[\w$.]+|"[^"]*"|-?[\d.]+|\{[^{}]*\}|[\w$]+\[\])$/.test(type) ? type : `(${type})`;
}

function literal(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}
