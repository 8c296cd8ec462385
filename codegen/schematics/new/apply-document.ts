import { findFeature } from '../../../plugins/tools/introspection/feature-catalogue.js';
import { addFeature } from '../add/index.js';
import type { GeneratorContext } from '../engine/context.js';
import type { FlagValue } from '../engine/schematic.js';
import { generate } from '../generate.js';
import { pascalSingular } from './resource-name.js';
import type { TemplateName } from './template.js';

/** The parts of a project document that produce code; the planning tools define its schema. */
export interface DocumentInput {
  readonly module?: string;
  readonly server?: { readonly host?: string; readonly port?: number };
  readonly fleet?: {
    readonly enabled?: boolean;
    readonly service_name?: string;
    readonly transport?: string;
    readonly aggregator_url?: string;
    readonly sample_rate?: number;
  };
  readonly docs?: {
    readonly enabled?: boolean;
    readonly title?: string;
    readonly ui_path?: string;
    readonly spec_path?: string;
  };
  readonly dashboard?: { readonly enabled?: boolean; readonly base_path?: string };
  readonly websocket?: { readonly enabled?: boolean; readonly path?: string; readonly broadcast?: boolean };
  readonly mcp?: { readonly enabled?: boolean; readonly port?: number };
  readonly middleware?: readonly {
    readonly name: string;
    readonly rps?: number;
    readonly origins?: readonly string[];
  }[];
  readonly models?: readonly {
    readonly name: string;
    readonly table?: string;
    readonly fields: readonly {
      readonly name: string;
      readonly type: string;
      readonly column?: string;
      readonly primary_key?: boolean;
    }[];
  }[];
  readonly routes?: readonly {
    readonly resource: string;
    readonly path?: string;
    readonly methods?: readonly string[];
    readonly model?: string;
  }[];
}

/** A feature with its flags from a document. */
interface FeatureCall {
  readonly feature: string;
  readonly flags: Readonly<Record<string, FlagValue>>;
}

/** Applies a document to a project: features in their order, models before those that refer to them. */
export async function applyDocument(
  document: DocumentInput,
  template: TemplateName,
  context: GeneratorContext,
): Promise<void> {
  const needsDatabase = (document.models?.length ?? 0) > 0;
  const features = featuresOf(document);
  const wanted = template === 'minimal' && needsDatabase ? [...features, { feature: 'orm', flags: {} }] : features;
  for (const { feature, flags } of wanted) await addFeature({ feature, flags: { ...flags, force: true } }, context);
  for (const { name, table, fields } of modelsInOrder(document.models ?? [])) {
    const given = fields.filter(({ primary_key: key, name: field }) => !key && field !== 'id').map(fieldText);
    await generate({ kind: 'model', name, fields: given, flags: table ? { table } : {} }, context);
  }
  for (const route of document.routes ?? []) await applyRoute(route, context);
}

function fieldText({ name, type, column }: Model['fields'][number]): string {
  const written = `${name}:${type.trim().replace(/\s*\|\s*null$/, '?')}`;
  return column ? `${written}:column=${column}` : written;
}

type RouteInput = NonNullable<DocumentInput['routes']>[number];

const ACTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  GET: ['list', 'get'],
  POST: ['create'],
  PUT: ['update'],
  PATCH: ['update'],
  DELETE: ['delete'],
};

async function applyRoute(
  { resource, path, methods = [], model }: RouteInput,
  context: GeneratorContext,
): Promise<void> {
  const actions = [...new Set(methods.flatMap((method) => ACTIONS_OF[method.toUpperCase()] ?? []))];
  const flags = { ...(path && { path }), ...(actions.length > 0 && { methods: actions.join(',') }) };
  const kind = model ? 'resource' : 'handler';
  await generate({ kind, name: model ?? pascalSingular(resource), flags }, context);
}

/** Features that a document switches on, with their flags. */
export function featuresOf(document: DocumentInput): readonly FeatureCall[] {
  const { fleet, docs, dashboard, websocket, mcp, middleware = [] } = document;
  return [
    ...(fleet?.enabled ? [{ feature: 'fleet', flags: fleetFlags(fleet) }] : []),
    ...middleware.map(({ name, rps, origins }) => middlewareCall(name, rps, origins)),
    ...(dashboard?.enabled ? [{ feature: 'dashboard', flags: given({ basepath: dashboard.base_path }) }] : []),
    ...(docs && docs.enabled !== false
      ? [{ feature: 'docs', flags: given({ title: docs.title, 'ui-path': docs.ui_path, 'json-path': docs.spec_path }) }]
      : []),
    ...(websocket?.enabled
      ? [{ feature: 'websocket', flags: given({ path: websocket.path, broadcast: websocket.broadcast }) }]
      : []),
    ...(mcp?.enabled ? [{ feature: 'mcp', flags: given({ port: mcp.port }) }] : []),
  ];
}

function fleetFlags(fleet: NonNullable<DocumentInput['fleet']>): Readonly<Record<string, FlagValue>> {
  const { service_name: service, transport, aggregator_url: url, sample_rate: rate } = fleet;
  return given({ service, transport, 'aggregator-url': url, 'sample-rate': rate });
}

function middlewareCall(name: string, rps: number | undefined, origins: readonly string[] | undefined): FeatureCall {
  const feature = findFeature(name.trim().toLowerCase())?.name ?? name;
  if (feature === 'ratelimit' && rps) return { feature, flags: { requests: rps, per: '1s' } };
  if (feature === 'cors' && origins && origins.length > 0) return { feature, flags: { origins: origins.join(', ') } };
  return { feature, flags: {} };
}

function given(flags: Readonly<Record<string, FlagValue | undefined>>): Readonly<Record<string, FlagValue>> {
  return Object.fromEntries(
    Object.entries(flags).filter((entry): entry is [string, FlagValue] => entry[1] !== undefined),
  );
}

type Model = NonNullable<DocumentInput['models']>[number];

// A model comes after the models that its fields name. In a cycle the first listed comes first, and the generator reports the model that is
// missing.
function modelsInOrder(models: readonly Model[]): readonly Model[] {
  const ordered: Model[] = [];
  const visiting = new Set<Model>();
  const visit = (model: Model): void => {
    if (ordered.includes(model) || visiting.has(model)) return;
    visiting.add(model);
    for (const { type } of model.fields) {
      const other = models.find(({ name }) => name === /[A-Za-z]\w*/.exec(type)?.[0]);
      if (other && other !== model) visit(other);
    }
    ordered.push(model);
  };
  models.forEach(visit);
  return ordered;
}
