import { Type } from 'typebox';
import { defineTool, fwError } from '../../../kernel/index.js';
import { Members, optional, Text, Texts } from '../../../kernel/schema/index.js';
import { KNOWLEDGE_ERRORS } from './errors.js';
import {
  type DescribedSchema,
  describeDocument,
  describeSection,
  flagPaths,
  withoutAnnotations,
} from './project-document/describe.js';
import { SECTION_NAMES } from './project-document/schema.js';

export const fwDescribeSchema = defineTool({
  name: 'fw_describe_schema',
  description: 'JSON Schema of the project configuration that planning and provisioning take.',
  input: Type.Object({
    section: optional(Type.String({ description: SECTION_NAMES.join(', ') })),
    detail: optional(Type.Boolean({ description: 'with annotations' })),
  }),
  output: Type.Object({
    section: optional(Text),
    schema: Members,
    sections: Texts,
    flag_paths: Type.Array(Text, { description: 'dotted path of every value' }),
  }),
  texts: ['section'],
  reach: 'inProcess',
  effects: [],
  run: async ({ section, detail = false }) => {
    const name = section?.trim() ?? '';
    const known = SECTION_NAMES.find((each) => each === name);
    if (name !== '' && !known)
      throw fwError(KNOWLEDGE_ERRORS.FW_TOOLS_SECTION, { section: name, known: SECTION_NAMES });
    const schema = known ? describeSection(known) : describeDocument();
    const structured = {
      section: known,
      schema: detail || known ? schema : (withoutAnnotations(schema) as DescribedSchema),
      sections: SECTION_NAMES,
      flag_paths: flagPaths(),
    };
    const of = known ? `section ${known}` : 'the project configuration';
    const summary = `Schema of ${of}; objects take no other members.`;
    return { summary, structured, text: `${summary}\n${JSON.stringify(detail ? schema : withoutAnnotations(schema))}` };
  },
});
