import { Type } from 'typebox';
import { pageOf } from '../../../kernel/index.js';
import { Integer, Members, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { liveTool, readLive } from './live-service.js';
import { normalPath } from './live-url.js';
import { addressOf, ServiceInput } from './service-input.js';

const { base_path: _, ...Common } = ServiceInput;
const Loose = Type.Object({
  openapi: optional(Text),
  info: optional(Type.Object({ title: optional(Text), version: optional(Text) })),
  paths: optional(Type.Record(Text, Members)),
  components: optional(Type.Object({ schemas: optional(Members) })),
});
const Operation = Type.Object({
  method: Text,
  path: Text,
  operation_id: optional(Text),
  summary: optional(Text),
  tag: optional(Text),
});

const input = Type.Object({
  ...Common,
  spec_path: optionalText('default /openapi.json'),
  route: optionalText('text that method and path contain'),
  limit: optional(Type.Integer({ minimum: 1 })),
});
const output = Type.Object({
  service_url: Text,
  spec_path: Text,
  openapi: Text,
  title: Text,
  version: Text,
  path_count: Integer,
  operations: Type.Array(Operation, { description: 'by path, then method' }),
  schema_names: Texts,
  notes: Texts,
});

const NOT_METHODS = new Set(['parameters', 'servers', 'summary', 'description', '$ref']);

export const fwQueryOpenapi = liveTool({
  name: 'fw_query_openapi',
  description: 'Summarise the OpenAPI document that a running service serves.',
  input,
  output,
  texts: ['spec_path', 'route'],
  run: async (given, context) => {
    const base = await addressOf(given, context);
    const specPath = normalPath(given.spec_path ?? '/openapi.json') || '/';
    const { username, password, token } = given;
    const request = { url: `${base}${specPath}`, what: 'OpenAPI document', schema: Loose, missing: NO_DOCUMENT };
    const found = await readLive({ ...request, username, password, token }, context);
    const all = operationsOf(found.paths ?? {});
    const fitting = all.filter(({ method, path }) => !given.route || `${method} ${path}`.includes(given.route.trim()));
    const { shown: operations, notes } = pageOf(fitting, given.limit, 'pass route or limit');
    const names = pageOf(Object.keys(found.components?.schemas ?? {}).sort(), given.limit, 'pass limit');
    const structured = {
      service_url: base,
      spec_path: specPath,
      openapi: found.openapi ?? '',
      title: found.info?.title ?? '',
      version: found.info?.version ?? '',
      path_count: Object.keys(found.paths ?? {}).length,
      operations,
      schema_names: names.shown,
      notes: [
        ...notes,
        ...names.notes.map((note) => `Schemas: ${note}`),
        ...(found.openapi === undefined
          ? ['The document has no openapi field; it may not be an OpenAPI document.']
          : []),
        ...(all.length === 0 ? ['The document has no operations: documentation collection may be off.'] : []),
      ],
    };
    return { summary: `${structured.title || 'untitled'}: ${all.length} operation(s)`, structured };
  },
});

const NO_DOCUMENT =
  'There is no document at this path (404): the docs feature is not installed (add it with fw_add), or serves it elsewhere (spec_path).';

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function operationsOf(paths: Paths) {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => operationOf(path, method, operation)),
    )
    .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
}

function operationOf(path: string, method: string, operation: unknown) {
  if (NOT_METHODS.has(method) || typeof operation !== 'object' || operation === null) return [];
  const { operationId, summary, tags } = operation as Record<string, unknown>;
  const tag: unknown = Array.isArray(tags) ? tags[0] : undefined;
  return [
    {
      method: method.toUpperCase(),
      path,
      ...(typeof operationId === 'string' && { operation_id: operationId }),
      ...(typeof summary === 'string' && { summary }),
      ...(typeof tag === 'string' && { tag }),
    },
  ];
}
