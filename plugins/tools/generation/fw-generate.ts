import { defineTool, Type } from '../../../kernel/index.js';
import { optional, optionalText, Text } from '../../../kernel/schema/index.js';
import { FIELD_RULES, FIELD_TYPES } from '../../../codegen/schematics/engine/field-types.js';
import { Flags, flagValues } from './flags.js';
import { migrationCall } from './migration-call.js';
import { appliedTo, Generated, generatedPart, nextCall } from './result.js';

/** The tool that generates a resource, a model, a handler and the like. */
export const fwGenerate = defineTool({
  name: 'fw_generate',
  description:
    'Generate code into a project: resource (model, documented CRUD routes, tests), model, migration, handler, event, listener, middleware, ws, job, plugin, tool, client.',
  input: Type.Object({
    kind: Type.String({
      description: 'client, event, handler, job, listener, middleware, migration, model, plugin, resource, tool or ws',
    }),
    name: optionalText('an identifier that starts with a capital, e.g. OrderLine; none for client'),
    fields: optional(
      Type.Array(Text, {
        description: `name:type[:rules], rules joined by a comma; types ${FIELD_TYPES.join(' ')}, ? for nullable; rules ${FIELD_RULES.join(' ')}`,
      }),
    ),
    flags: Flags,
    dir: optionalText('project root'),
  }),
  output: Type.Object({ kind: Text, name: Text, ...Generated }),
  paths: ['dir'],
  texts: ['kind', 'name', 'fields', 'flags'],
  reach: 'workspace',
  effects: ['writes-files'],
  run: async ({ kind, name = '', fields = [], flags, dir }, context) => {
    const { generate } = await import('../../../codegen/schematics/index.js');
    const root = dir ?? context.workspace;
    const { applied, output } = await appliedTo(root, (project) =>
      generate({ kind, name, fields, flags: flagValues(flags) }, project),
    );
    const migration = await migrationCall(root, applied.files, context);
    return {
      summary: `Generated ${`${kind} ${name}`.trim()}: ${applied.files.length} file(s).${migration} ${nextCall(applied.problems)}`,
      structured: { kind, name, ...generatedPart(applied, output) },
    };
  },
});
