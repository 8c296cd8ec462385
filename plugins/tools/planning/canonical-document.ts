import type { ProjectDocument } from '../knowledge/index.js';

// Types with the same column; the names on the right are those that reading a project returns.
const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);
// Verbs and the methods that serve them: an update is served as PUT; HEAD and OPTIONS need no route.
const SERVED_AS: ReadonlyMap<string, readonly string[]> = new Map([
  ['PATCH', ['PUT']],
  ['HEAD', []],
  ['OPTIONS', []],
]);

type Models = NonNullable<ProjectDocument['models']>;
type Routes = NonNullable<ProjectDocument['routes']>;

/**
 * Normalizes a document, so that documents for the same project are equal: types by their column, methods by the route that serves them.
 * Otherwise a project would differ from the configuration that it was made from.
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
  // Other names keep their case, because a capital letter makes a name a model.
  const known =
    SAME.get(lower) ?? (/^(int|bigint|date|text|uuid|json|float|string|boolean)$/.test(lower) ? lower : bare);
  return nullable ? `${known}?` : known;
}

function canonicalRoute({ methods, ...route }: Routes[number]): Routes[number] {
  if (!methods) return route;
  const served = methods.flatMap((method) => SERVED_AS.get(method) ?? method);
  return { ...route, methods: [...new Set(served)].sort() as typeof methods };
}
