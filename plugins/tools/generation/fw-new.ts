import path from 'node:path';
import { defineTool, Type } from '../../../kernel/index.js';
import { PACKING_LOG } from '../../../kernel/plugin/index.js';
import { Anything, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { documentIn } from './document-in.js';
import { oneAtATime } from './project-lock.js';
import { Change } from './result.js';

export const fwNew = defineTool({
  name: 'fw_new',
  description:
    'Make a project in a new folder: app.config.ts, routes, tests, lint and a packed copy of the framework; optionally with features, models and routes from a configuration. Installs nothing.',
  input: Type.Object({
    name: Type.String({ description: 'name of the folder and of the application' }),
    template: optionalText('api (default) or minimal'),
    driver: optionalText('database; another word is refused with the list; default a file'),
    dir: optionalText('existing folder to make it in'),
    config: optional(Type.Record(Text, Anything, { description: 'see fw_describe_schema' })),
    config_yaml: optionalText('the same as YAML text'),
  }),
  output: Type.Object({
    path: Text,
    template: Text,
    files: Type.Array(Change),
    framework: Type.Enum(['packed', 'packing'], { description: 'whether its package is in vendor/ yet' }),
    output: Texts,
  }),
  paths: ['dir'],
  texts: ['name', 'template', 'driver', 'config', 'config_yaml'],
  reach: 'workspace',
  effects: ['writes-files'],
  destructive: false,
  run: async ({ name, template, driver, dir, config, config_yaml }, context) => {
    const { checkedName, newProject, packedAlready, packInto } = await import('../../../codegen/schematics/index.js');
    const document = await documentIn({ config, config_yaml });
    const parent = dir ?? context.workspace;
    await context.confine(path.join(parent, checkedName(name)));
    const output: string[] = [];
    const framework = await packedAlready();
    context.progress(1, 2, 'writing the files');
    const made = await oneAtATime(parent, () =>
      newProject(
        { name, template: template || 'api', document, driver: driver || undefined },
        { parent, signal: context.signal, framework, log: (line) => output.push(line) },
      ),
    );
    // Packing takes minutes where the framework is a checkout that has changed, so nobody waits for it.
    if (!framework.bytes) await packInto(made.path);
    const next = framework.bytes
      ? 'Run npm install there, then fw_verify_project with its path.'
      : `fw is still being packed, which takes minutes once for each change of its sources: when vendor/${framework.name} is there, run npm install, then fw_verify_project with its path. ${PACKING_LOG} says how it goes.`;
    return {
      summary: `Made ${made.path} (${made.template}, ${made.files.length} files). ${next}`,
      structured: {
        path: made.path,
        template: made.template,
        files: made.files,
        framework: framework.bytes ? ('packed' as const) : ('packing' as const),
        output,
      },
    };
  },
});
