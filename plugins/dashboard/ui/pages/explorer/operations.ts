import type { ExplorerAnswer } from '../../../wire/api.js';

/** A JSON Schema, as far as an example needs it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** An input beside the body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly type: string;
}

/** Something that can be called. */
export interface Operation {
  /** Unique; part of the address of the page. */
  readonly id: string;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  /** An example of the body as JSON text; undefined when there is none. */
  readonly body: string | undefined;
  /** Whether the API reference says that credentials are needed. */
  readonly guarded: boolean;
}

interface OpenApi {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface OpenApiOperation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Schema;
  }[];
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
  };
  readonly security?: readonly unknown[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
const MAX_DEPTH = 6;

/** Callable operations: those of the document, then routes that the document lacks. */
export function operationsOf({ document, routes }: ExplorerAnswer): readonly Operation[] {
  const api = (document ?? {}) as OpenApi;
  const documented = Object.entries(api.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      item[method] ? [documentedOperation(api, method.toUpperCase(), path, item[method])] : [],
    ),
  );
  const known = new Set(documented.map(({ id }) => id));
  const others = routes
    .map(({ method, pattern }) => plainOperation(method, pattern))
    .filter(({ id }) => !known.has(id));
  return [...documented, ...others];
}

function documentedOperation(api: OpenApi, method: string, path: string, operation: OpenApiOperation): Operation {
  const { summary = '', description = '', tags = [], parameters = [], requestBody, security = [] } = operation;
  const body = requestBody?.content?.['application/json'];
  return {
    id: `${method} ${path}`,
    method,
    path,
    title: summary,
    description,
    tag: tags[0] ?? 'Other',
    parameters: parameters.flatMap((each) => parameterOf(api, each)),
    body: body && JSON.stringify(body.example ?? exampleOf(body.schema ?? {}, api.components?.schemas ?? {}), null, 2),
    guarded: security.length > 0,
  };
}

function plainOperation(method: string, pattern: string): Operation {
  const path = pattern.replace(/:(\w+)/g, '{$1}').replace(/\*(\w*)/g, (_, name: string) => `{${name || 'wildcard'}}`);
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    return { name, in: 'path', required: true, description: '', type: 'string' };
  });
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : undefined;
  return {
    id: `${method} ${path}`,
    method,
    path,
    title: '',
    description: '',
    tag: 'Not documented',
    parameters,
    body,
    guarded: false,
  };
}

function parameterOf(
  api: OpenApi,
  {
    name,
    in: place,
    required = false,
    description = '',
    schema = {},
  }: NonNullable<OpenApiOperation['parameters']>[number],
): Parameter[] {
  if (place !== 'path' && place !== 'query' && place !== 'header') return [];
  const { type = 'string' } = resolved(schema, api.components?.schemas ?? {});
  return [{ name, in: place, required, description, type: [type].flat().join(' or ') }];
}

/** A value that fits a schema, for people to change. */
function exampleOf(schema: Schema, named: Readonly<Record<string, Schema>>, depth = 0): unknown {
  const { examples, example, default: standard, const: only, enum: choices, type, properties, items, format, minimum, allOf, anyOf, oneOf } = resolved(schema, named); // prettier-ignore
  const given = [example, examples?.[0], standard, only, choices?.[0]].find((value) => value !== undefined);
  if (given !== undefined) return given;
  if (depth > MAX_DEPTH) return null;
  const inner = (part: Schema) => exampleOf(part, named, depth + 1);
  if (allOf) return Object.assign({}, ...allOf.map(inner)) as unknown;
  const choice = (anyOf ?? oneOf)?.find((part) => part.type !== 'null');
  if (choice) return inner(choice);
  const kind = [type].flat().find((each) => each !== 'null') ?? (properties ? 'object' : undefined);
  switch (kind) {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, inner(part)]));
    case 'array':
      return items ? [inner(items)] : [];
    case 'integer':
    case 'number':
      return Math.max(minimum ?? 0, 0);
    case 'boolean':
      return false;
    case 'string':
      return FORMATS.get(format ?? '') ?? 'text';
    default:
      return null;
  }
}

const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    email: 'ada@example.com',
    uri: 'https://example.com/',
    uuid: '00000000-0000-4000-8000-000000000000',
    date: '2026-01-31',
    'date-time': '2026-01-31T12:00:00Z',
  }),
);

function resolved(schema: Schema, named: Readonly<Record<string, Schema>>): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  return name === undefined ? schema : (named[name] ?? {});
}
