import { defineTool, Type } from '../../../kernel/index.js';
import { documentOf } from './document-of.js';
import { readProject } from '../introspection/index.js';

const Text = Type.String();
const List = (members: Type.TProperties) => Type.Array(Type.Object(members));

export const fwExplainProject = defineTool({
  name: 'fw_explain_project',
  description:
    'Read a project back from its sources: plugins in order, features with options, models, relations, routes.',
  input: Type.Object({ path: Type.Optional(Type.String({ description: 'project root' })) }),
  output: Type.Object({
    path: Text,
    package: Text,
    plugins: Type.Array(Text),
    features: List({ name: Text, plugin: Text, options: Type.Record(Text, Type.Unknown()) }),
    models: List({
      name: Text,
      table: Text,
      file: Text,
      fields: List({ name: Text, type: Text, column: Text, primary_key: Type.Boolean() }),
      relations: List({ name: Text, model: Text, kind: Text }),
    }),
    routes: List({ method: Text, path: Text, handler: Text, block: Text, file: Text }),
    config: Type.Record(Text, Type.Unknown(), { description: 'as the planning tools take it' }),
    edited: List({ block: Text, file: Text }),
    notes: Type.Array(Text),
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: [],
  run: async ({ path: root }, context) => {
    const facts = await readProject(root ?? context.workspace, (file) => context.confine(file));
    const { package: name, plugins, features, models, routes, edited, notes } = facts;
    return {
      summary: `${name}: ${features.length} features, ${models.length} models, ${routes.length} routes. Change it with fw_generate and fw_add, or plan with fw_diff_config.`,
      structured: {
        path: facts.root,
        package: name,
        plugins: [...plugins],
        features: features.map((feature) => ({ ...feature, options: { ...feature.options } })),
        models: models.map((model) => ({ ...model, fields: [...model.fields], relations: [...model.relations] })),
        routes: routes.map(({ method, path, handler, block, file }) => ({ method, path, handler, block, file })),
        config: { ...documentOf(facts) },
        edited: [...edited],
        notes: [...notes],
      },
    };
  },
});
