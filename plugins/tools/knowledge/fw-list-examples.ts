import { Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { checkDocument } from './project-document/check.js';
import { type DocumentExample, EXAMPLES } from './project-document/examples.js';

const Example = Type.Object({
  name: Type.String(),
  description: Type.String(),
  sections: Type.Array(Type.String()),
  yaml: Type.String(),
  valid: Type.Boolean(),
  errors: Type.Array(Type.String()),
});

export const fwListExamples = defineTool({
  name: 'fw_list_examples',
  description: 'Checked examples of project configurations.',
  input: Type.Object({ section: Type.Optional(Type.String({ description: 'only those that use it' })) }),
  output: Type.Object({
    section: Type.Optional(Type.String()),
    examples: Type.Array(Example),
    count: Type.Integer(),
    notes: Type.Array(Type.String()),
  }),
  texts: ['section'],
  reach: 'inProcess',
  effects: [],
  run: async ({ section }) => {
    const name = section?.trim() ?? '';
    const fitting = EXAMPLES.filter(({ document }) => name === '' || name in document);
    const covered = [...new Set(EXAMPLES.flatMap(({ document }) => Object.keys(document)))];
    const notes = fitting.length > 0 ? [] : [`No example uses "${name}". Covered sections: ${covered.join(', ')}.`];
    const examples = await Promise.all(fitting.map(shown));
    const structured = { ...(name !== '' && { section: name }), examples, count: examples.length, notes };
    return { summary: `${examples.length} example(s)`, structured };
  },
});

async function shown({ name, description, document }: DocumentExample) {
  const { stringify } = await import('yaml');
  const errors = [...checkDocument(document)];
  return {
    name,
    description,
    sections: Object.keys(document),
    yaml: stringify(document),
    valid: errors.length === 0,
    errors,
  };
}
