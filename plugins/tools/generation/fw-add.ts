import { defineTool, Type } from '../../../kernel/index.js';
import { optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { Flags, flagValues } from './flags.js';
import { migrationCall } from './migration-call.js';
import { appliedTo, Generated, generatedPart, nextCall } from './result.js';

/** The tool that wires a feature into a project. */
export const fwAdd = defineTool({
  name: 'fw_add',
  description: 'Wire a feature into app.config.ts at its place in the required order; see fw_features.',
  input: Type.Object({
    feature: Type.String({ description: 'name or alias, see fw_features' }),
    flags: Flags,
    dir: optionalText('project root'),
  }),
  output: Type.Object({
    feature: Text,
    result: Type.Union([Type.Literal('created'), Type.Literal('updated'), Type.Literal('unchanged')]),
    notes: Texts,
    ...Generated,
  }),
  paths: ['dir'],
  texts: ['feature', 'flags'],
  reach: 'workspace',
  effects: ['writes-files'],
  run: async ({ feature, flags, dir }, context) => {
    const { addFeature } = await import('../../../codegen/schematics/index.js');
    const root = dir ?? context.workspace;
    const { applied, output } = await appliedTo(root, (project) =>
      addFeature({ feature, flags: flagValues(flags) }, project),
    );
    const { feature: name, result, notes } = applied.result;
    const told = new Set(notes.map((note) => `note: ${note}`));
    const isNoNote = (line: string) => !told.has(line);
    const migration = await migrationCall(root, applied.files, context);
    return {
      summary: `Feature ${name}: ${result}.${migration} ${nextCall(applied.problems)}`,
      structured: { feature: name, result, notes, ...generatedPart(applied, output.filter(isNoNote)) },
    };
  },
});
