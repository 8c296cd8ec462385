import { isObjectSchema, KEYS, ProjectDocument, PROJECT_SECTIONS, type SECTION_NAMES } from './schema.js';

/** JSON Schema with annotations for tools: `x-flag` (dotted path), `x-field-order`, `x-flag-format`. */
export type DescribedSchema = Readonly<Record<string, unknown>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema of the whole project document. */
export function describeDocument(): DescribedSchema {
  const title = 'project configuration';
  const description = 'Input of the planning and provisioning tools; it maps onto app.config.ts, models and routes.';
  return { $schema: DIALECT, title, description, ...described(ProjectDocument, '', '') };
}

/** JSON Schema of one section. */
export function describeSection(name: (typeof SECTION_NAMES)[number]): DescribedSchema {
  return { $schema: DIALECT, title: name, ...described(PROJECT_SECTIONS[name], name, name) };
}

/** Dotted path of every value, sorted; `<name>` stands for the key of a list's element. */
export function flagPaths(): readonly string[] {
  const paths: string[] = [];
  collect(describeDocument(), paths);
  return paths.sort();
}

/** What the check of a configuration needs of its schema, without what says the same again for tools. */
export function withoutAnnotations(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  const members = Object.entries(schema).filter(([name, value]) => !name.startsWith('x-') && value !== '');
  return Object.fromEntries(members.map(([name, value]) => [name, withoutAnnotations(value)]));
}

function collect(schema: unknown, into: string[]): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { 'x-flag': flag, ...rest } = schema as Record<string, unknown>;
  if (typeof flag === 'string') into.push(flag);
  for (const member of Object.values(rest)) collect(member, into);
}

function described(schema: unknown, path: string, name: string): DescribedSchema {
  if (isObjectSchema(schema)) return describedObject(schema, path, KEYS[name]);
  const plain = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  if (plain['type'] !== 'array') return { ...plain, 'x-flag': path };
  const items = (schema as { readonly items: unknown }).items;
  if (!isObjectSchema(items)) return { ...plain, 'x-flag': path, 'x-flag-format': 'comma-separated' };
  return { ...plain, items: describedObject(items, `${path}.<name>`, KEYS[name]) };
}

function describedObject(
  schema: { readonly properties: Readonly<Record<string, unknown>> },
  path: string,
  key: string | undefined,
): DescribedSchema {
  const names = Object.keys(schema.properties);
  const members = names.map((name) => [name, described(schema.properties[name], join(path, name), name)]);
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    additionalProperties: false,
    ...(key !== undefined && names.includes(key) && { required: [key] }),
    'x-field-order': names,
  };
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
