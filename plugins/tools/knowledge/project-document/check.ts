import { validatorOf } from '../../../../kernel/index.js';
import { FEATURES, findFeature } from '../../introspection/index.js';
import { ProjectDocument } from './schema.js';

const PRIMITIVES = new Set([
  'string', 'Int', 'int', 'bigint', 'number', 'boolean', 'bool', 'Date', 'Json', 'Uint8Array', 'unknown', 'text', 'Text', 'uuid', 'Uuid',
  'date', 'duration', 'float', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint', 'uint8', 'uint16', 'uint32', 'uint64',
  'time', 'Time', 'Duration',
]); // prettier-ignore

/**
 * Everything that is wrong with a project document, one sentence each; empty when it can be planned.
 * @param document - as a caller gave it
 */
export function checkDocument(document: unknown): readonly string[] {
  const issues = validatorOf(ProjectDocument).check(structuredClone(document));
  if (issues.length > 0)
    return issues.map(({ path, message }) => `${path.slice(1).replaceAll('/', '.') || 'the document'} ${message}`);
  const { fleet, middleware = [], models = [], routes = [] } = document as ProjectDocument;
  return [
    ...fleetProblems(fleet),
    ...middlewareProblems(middleware),
    ...modelProblems(models),
    ...routeProblems(routes, models),
  ];
}

function fleetProblems(fleet: ProjectDocument['fleet']): string[] {
  if (!fleet?.enabled) return [];
  const { transport = 'http', aggregator_url: url, aggregator_ws_url: wsUrl } = fleet;
  return [
    ...(url?.trim() === '' && transport !== 'events'
      ? ['fleet.aggregator_url is empty, so nothing would be exported']
      : []),
    ...(transport === 'ws' && wsUrl !== undefined && !/^wss?:\/\//.test(wsUrl)
      ? ['fleet.aggregator_ws_url must start with ws:// or wss:// for transport ws']
      : []),
  ];
}

function middlewareProblems(middleware: NonNullable<ProjectDocument['middleware']>): string[] {
  const names = middleware.map(({ name }) => name.trim().toLowerCase());
  const known = FEATURES.map(({ name }) => name).join(', ');
  return [
    ...names
      .filter((name) => !findFeature(name))
      .map((name) => `middleware "${name}" is not a feature; features: ${known}`),
    ...twice(names.map((name) => findFeature(name)?.name ?? name)).map(
      (name) => `middleware "${name}" is listed twice`,
    ),
  ];
}

type Models = NonNullable<ProjectDocument['models']>;

function modelProblems(models: Models): string[] {
  const names = models.map(({ name }) => name);
  return [
    ...twice(names).map((name) => `model ${name} is listed twice`),
    ...models.flatMap((model) => problemsOfModel(model, new Set(names))),
  ];
}

function problemsOfModel({ name, fields }: Models[number], models: ReadonlySet<string>): string[] {
  const unknown = fields.flatMap((field) =>
    typeNames(field.type)
      .filter((type) => !PRIMITIVES.has(type) && !models.has(type))
      .map((type) => `model ${name} field ${field.name} references unknown type ${type}`),
  );
  return [
    ...(/^[A-Z][A-Za-z0-9]*$/.test(name)
      ? []
      : [`model name "${name}" must be an identifier that starts with a capital`]),
    ...(fields.length === 0 ? [`model ${name} has no fields`] : []),
    ...twice(fields.map((field) => field.name)).map((field) => `model ${name} has the field ${field} twice`),
    ...(fields.filter((field) => field.primary_key).length > 1 ? [`model ${name} has more than one primary key`] : []),
    ...unknown,
  ];
}

// `Tag[]`, `Array<Tag>`, `Record<string, Tag>` and `Tag | null` name the type Tag.
function typeNames(expression: string): string[] {
  const names = expression.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? [expression];
  return names.filter((name) => !['Array', 'Record', 'null', 'undefined'].includes(name));
}

function routeProblems(routes: NonNullable<ProjectDocument['routes']>, models: Models): string[] {
  const known = new Set(models.map(({ name }) => name));
  return [
    ...twice(routes.map(({ resource }) => resource)).map((resource) => `route ${resource} is listed twice`),
    ...routes.flatMap(({ resource, model, path }) => [
      ...(resource.trim() === '' ? ['a route has an empty resource'] : []),
      ...(model && !known.has(model) ? [`route ${resource} shows model ${model}, which is not declared`] : []),
      ...(path && !path.startsWith('/') ? [`route ${resource} has the path "${path}", which must start with /`] : []),
    ]),
  ];
}

function twice(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
