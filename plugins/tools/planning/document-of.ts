import type { ProjectFacts, ProjectModel } from '../introspection/index.js';
import type { ProjectDocument } from '../knowledge/index.js';

/** The project document that describes an existing project, as far as its sources show. */
export function documentOf({ package: module, features, models, routes }: ProjectFacts): ProjectDocument {
  const option = (feature: string, name: string) => features.find((each) => each.name === feature)?.options[name];
  const has = (name: string) => features.some((feature) => feature.name === name);
  const defined = (section: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(section).filter(([, value]) => value !== undefined));
  const other = new Set(['fleet', 'docs', 'dashboard', 'websocket', 'mcp', 'orm']);
  return {
    module,
    ...(has('fleet') && {
      fleet: defined({
        enabled: true,
        service_name: option('fleet', 'serviceName'),
        transport: option('fleet', 'transport'),
        aggregator_url: option('fleet', 'aggregatorURL'),
        sample_rate: option('fleet', 'sampleRate'),
      }),
    }),
    docs: defined({
      enabled: has('docs'),
      title: option('docs', 'title'),
      ui_path: option('docs', 'uiPath'),
      spec_path: option('docs', 'jsonPath'),
    }),
    ...(has('dashboard') && { dashboard: defined({ enabled: true, base_path: option('dashboard', 'basePath') }) }),
    ...(has('websocket') && {
      websocket: defined({
        enabled: true,
        path: option('websocket', 'path'),
        broadcast: option('websocket', 'broadcast'),
      }),
    }),
    ...(has('mcp') && { mcp: defined({ enabled: true, port: option('mcp', 'port') }) }),
    middleware: features
      .filter(({ name }) => !other.has(name))
      .map(({ name, options }) =>
        defined({
          name,
          rps:
            name === 'ratelimit' && ['1s', '1000ms', 1000].includes(options['per'] as string)
              ? options['requests']
              : undefined,
          origins:
            name === 'cors' && typeof options['allowOrigins'] === 'string'
              ? options['allowOrigins'].split(',').map((each) => each.trim())
              : undefined,
        }),
      ),
    models: models.map((model) => ({ name: model.name, table: model.table, fields: fieldsOf(model) })),
    routes: [...new Set(routes.map(({ block }) => block))].map((resource) => {
      const model = models.find(({ table }) => table === resource.replaceAll('-', '_'));
      const methods = routes.filter(({ block }) => block === resource).map(({ method }) => method);
      return { resource, methods: [...new Set(methods)].sort(), ...(model && { model: model.name }) };
    }),
  } as unknown as ProjectDocument;
}

// In the document a field refers to a model; the class has a key column and a relation.
function fieldsOf({ fields, relations }: ProjectModel): object[] {
  return fields.map(({ name, type, column, primary_key }) => {
    const relation = relations.find((each) => each.kind === 'belongsTo' && name === `${each.name}Id`);
    if (relation) return { name: relation.name, type: type.endsWith('?') ? `${relation.model}?` : relation.model };
    return { name, type, column, ...(primary_key && { primary_key }) };
  });
}
