import { Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { checkDocument } from './project-document/check.js';
import { type DocumentExample, EXAMPLES } from './project-document/examples.js';

const Example = Type.Object({
  name: Text,
  description: Text,
  sections: Texts,
  yaml: Text,
  valid: YesNo,
  errors: Texts,
});

export const fwListExamples = defineTool({
  name: 'fw_list_examples',
  description: 'Checked examples of project configurations.',
  input: Type.Object({ section: optionalText('only those that use it') }),
  output: Type.Object({
    section: optional(Text),
    examples: Type.Array(Example),
    count: Integer,
    notes: Texts,
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
    const structured = { section: name || undefined, examples, count: examples.length, notes };
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
