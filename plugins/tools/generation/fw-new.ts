import path from 'node:path';
import { defineTool, Type } from '../../../kernel/index.js';
import { documentIn } from './document-in.js';
import { oneAtATime } from './project-lock.js';
import { Change } from './result.js';

export const fwNew = defineTool({
  name: 'fw_new',
  description:
    'Make a project in a new folder: app.config.ts, routes, tests, lint and a packed copy of the framework; optionally with features, models and routes from a configuration. Installs nothing.',
  input: Type.Object({
    name: Type.String({ description: 'name of the folder and of the application' }),
    template: Type.Optional(Type.String({ description: 'api (default) or minimal' })),
    dir: Type.Optional(Type.String({ description: 'existing folder to make it in' })),
    config: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'see fw_describe_schema' })),
    config_yaml: Type.Optional(Type.String({ description: 'the same as YAML text' })),
  }),
  output: Type.Object({
    path: Type.String(),
    template: Type.String(),
    files: Type.Array(Change),
    output: Type.Array(Type.String()),
  }),
  paths: ['dir'],
  texts: ['name', 'template', 'config', 'config_yaml'],
  reach: 'workspace',
  effects: ['writes-files'],
  run: async ({ name, template, dir, config, config_yaml }, context) => {
    const { checkedName, newProject } = await import('../../../codegen/schematics/index.js');
    const document = await documentIn({ config, config_yaml });
    const parent = dir ?? context.workspace;
    await context.confine(path.join(parent, checkedName(name)));
    const output: string[] = [];
    context.progress(0, 2, 'packing the framework');
    const made = await oneAtATime(parent, () =>
      newProject(
        { name, template: template || 'api', document },
        { parent, signal: context.signal, log: (line) => output.push(line) },
      ),
    );
    return {
      summary: `Made ${made.path} (${made.template}, ${made.files.length} files). Run npm install there, then fw_verify_project with its path.`,
      structured: { path: made.path, template: made.template, files: made.files.map((file) => ({ ...file })), output },
    };
  },
});
