import type { ProjectDocument } from '../knowledge/index.js';

// What the generators make the same column of; the names on the right are those that a project reads back as.
const SAME: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['int8', 'int16', 'int32', 'int64', 'uint', 'uint8', 'uint16', 'uint32', 'uint64'].map((each) => [each, 'int']),
  ),
  ...Object.fromEntries(['number', 'float32', 'float64', 'double'].map((each) => [each, 'float'])),
  bool: 'boolean',
  'array<string>': 'string[]',
  '[]string': 'string[]',
  unknown: 'json',
  'json.rawmessage': 'json',
  'time.time': 'date',
  'time.duration': 'int',
  duration: 'int',
};
// An update is served as PUT; HEAD and OPTIONS are answered without a route of their own.
const SERVED_AS: Readonly<Record<string, string | undefined>> = { PATCH: 'PUT', HEAD: undefined, OPTIONS: undefined };

type Models = NonNullable<ProjectDocument['models']>;
type Routes = NonNullable<ProjectDocument['routes']>;

/**
 * A document in which everything that leads to the same project reads the same: types by the column that they become, methods by
 * the route that serves them. Without it a project would differ from the very configuration that it was made from.
 */
export function canonicalDocument(document: ProjectDocument): ProjectDocument {
  const { models, routes } = document;
  return {
    ...document,
    ...(models && { models: models.map(canonicalModel) }),
    ...(routes && { routes: routes.map(canonicalRoute) }),
  };
}

function canonicalModel({ fields, ...model }: Models[number]): Models[number] {
  return { ...model, fields: fields.map(({ type, ...field }) => ({ ...field, type: canonicalType(type) })) };
}

function canonicalType(type: string): string {
  const nullable = /\?$|\|\s*null\b/.test(type);
  const bare = type.replace(/\?$|\s*\|\s*null\b/g, '').trim();
  const lower = bare.toLowerCase();
  // A capital letter alone makes a model of a name that is no type.
  const known = SAME[lower] ?? (/^(int|bigint|date|text|uuid|json|float|string|boolean)$/.test(lower) ? lower : bare);
  return nullable ? `${known}?` : known;
}

function canonicalRoute({ methods, ...route }: Routes[number]): Routes[number] {
  if (!methods) return route;
  const served = methods.flatMap((method) => (method in SERVED_AS ? (SERVED_AS[method] ?? []) : method));
  return { ...route, methods: [...new Set(served)].sort() as typeof methods };
}
