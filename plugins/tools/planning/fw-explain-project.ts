import { defineTool, pageOf, Type } from '../../../kernel/index.js';
import { Anything, optional, optionalText, Text, YesNo } from '../../../kernel/schema/index.js';
import { documentOf } from './document-of.js';
import { readProject } from '../introspection/index.js';

const PARTS = ['features', 'models', 'routes', 'config'] as const;
/** Characters of each list, unless the caller names a part. */
const MOST_OF_A_LIST = 1_400;
const List = <Properties extends Type.TProperties>(members: Properties) => Type.Array(Type.Object(members));

export const fwExplainProject = defineTool({
  name: 'fw_explain_project',
  description:
    'Read a project back from its sources: plugins in order, features with options, models, relations, routes.',
  input: Type.Object({
    path: optionalText('project root'),
    part: optional(Type.Enum([...PARTS], { description: 'only this, in full; config is what fw_diff_config takes' })),
  }),
  output: Type.Object({
    path: Text,
    package: Text,
    plugins: Type.Array(Text),
    features: List({ name: Text, plugin: Text, options: Type.Record(Text, Anything) }),
    models: List({
      name: Text,
      table: Text,
      file: Text,
      fields: List({ name: Text, type: Text, column: Text, primary_key: YesNo }),
      relations: List({ name: Text, model: Text, kind: Text }),
    }),
    routes: List({ method: Text, path: Text, handler: Text, block: Text, file: Text }),
    config: optional(Type.Record(Text, Anything, { description: 'as the planning tools take it' })),
    edited: List({ block: Text, file: Text }),
    notes: Type.Array(Text),
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: [],
  run: async ({ path: root, part }, context) => {
    const facts = await readProject(root ?? context.workspace, (file) => context.confine(file));
    const { package: name, plugins, features, models, routes, edited } = facts;
    const listed = <Item>(of: (typeof PARTS)[number], items: readonly Item[]) => {
      if (part === undefined) return pageOf(items, undefined, `pass part ${of}`, MOST_OF_A_LIST);
      return { shown: part === of ? [...items] : [], notes: [] };
    };
    const lists = {
      features: listed('features', features),
      models: listed('models', models),
      routes: listed(
        'routes',
        routes.map(({ method, path, handler, block, file }) => ({ method, path, handler, block, file })),
      ),
    };
    const cut = Object.entries(lists).flatMap(([of, { notes }]) => notes.map((note) => `${of}: ${note}`));
    return {
      summary: `${name}: ${features.length} features, ${models.length} models, ${routes.length} routes. Change it with fw_generate and fw_add, or plan with fw_diff_config.`,
      structured: {
        path: facts.root,
        package: name,
        plugins,
        features: lists.features.shown,
        models: lists.models.shown,
        routes: lists.routes.shown,
        config: part === 'config' ? { ...documentOf(facts) } : undefined,
        edited,
        notes: [...cut, ...facts.notes],
      },
    };
  },
});
