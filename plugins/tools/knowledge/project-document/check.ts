import { FIELD_TYPES, kindOfType, nullability } from '../../../../codegen/schematics/engine/field-types.js';
import { validatorOf } from '../../../../kernel/index.js';
import { FEATURES, findFeature } from '../../introspection/index.js';
import { ProjectDocument } from './schema.js';

/**
 * All problems of a project document, one sentence each; empty when it can be planned.
 * @param document - unchecked input of a caller
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
  return [
    ...(/^[A-Z][A-Za-z0-9]*$/.test(name)
      ? []
      : [`model name "${name}" must be an identifier that starts with a capital`]),
    ...(fields.length === 0 ? [`model ${name} has no fields`] : []),
    ...twice(fields.map((field) => field.name)).map((field) => `model ${name} has the field ${field} twice`),
    ...(fields.filter((field) => field.primary_key).length > 1 ? [`model ${name} has more than one primary key`] : []),
    ...fields.flatMap((field) =>
      problemsOfType(field.type, models).map((problem) => `model ${name} field ${field.name} ${problem}`),
    ),
  ];
}

// Accepts exactly the types that the generators turn into columns, so that they accept every document that passes.
function problemsOfType(type: string, models: ReadonlySet<string>): string[] {
  const { bare } = nullability(type);
  if (kindOfType(bare) !== undefined || models.has(bare)) return [];
  // `Tag[]`, `Array<Tag>` and `Record<string, Tag>` name the type Tag.
  const names = (bare.match(/[A-Za-z_][A-Za-z0-9_.]*/g) ?? [bare]).filter(
    (name) => !['Array', 'Record'].includes(name),
  );
  const unknown = names.filter((name) => kindOfType(name) === undefined && !models.has(name));
  if (unknown.length > 0) return unknown.map((name) => `references unknown type ${name}`);
  return [`has the type ${type}, which no column can have; types: ${FIELD_TYPES.join(', ')}`];
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
