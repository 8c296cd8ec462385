import { Type } from 'typebox';
import { defineTool, fwError } from '../../../kernel/index.js';
import { KNOWLEDGE_ERRORS } from './errors.js';
import { describeDocument, describeSection, flagPaths } from './project-document/describe.js';
import { SECTION_NAMES } from './project-document/schema.js';

export const fwDescribeSchema = defineTool({
  name: 'fw_describe_schema',
  description: 'JSON Schema of the project configuration that planning and provisioning take.',
  input: Type.Object({ section: Type.Optional(Type.String({ description: SECTION_NAMES.join(', ') })) }),
  output: Type.Object({
    section: Type.Optional(Type.String()),
    schema: Type.Record(Type.String(), Type.Unknown()),
    sections: Type.Array(Type.String()),
    flag_paths: Type.Array(Type.String(), { description: 'dotted path of every value' }),
  }),
  texts: ['section'],
  reach: 'inProcess',
  effects: [],
  run: async ({ section }) => {
    const name = section?.trim() ?? '';
    const known = SECTION_NAMES.find((each) => each === name);
    if (name !== '' && !known)
      throw fwError(KNOWLEDGE_ERRORS.FW_TOOLS_SECTION, { section: name, known: SECTION_NAMES });
    const structured = {
      ...(known && { section: known }),
      schema: known ? describeSection(known) : describeDocument(),
      sections: [...SECTION_NAMES],
      flag_paths: [...flagPaths()],
    };
    const summary = known ? `Schema of section ${known}` : 'Schema of the project configuration';
    // The schema already contains the paths.
    return { summary, structured, text: `${summary}\n${JSON.stringify(structured.schema)}` };
  },
});
