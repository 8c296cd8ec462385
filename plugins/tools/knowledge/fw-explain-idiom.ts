import { Type } from 'typebox';
import { defineTool, fwError } from '../../../kernel/index.js';
import { KNOWLEDGE_ERRORS } from './errors.js';
import { findIdioms, IDIOMS } from './idioms.js';

const Rule = Type.Object({
  rule: Type.String(),
  topic: Type.String(),
  severity: Type.String(),
  summary: Type.String(),
  why: Type.String(),
  do: Type.String(),
  dont: Type.String(),
  statically_checked: Type.Boolean(),
});

export const fwExplainIdiom = defineTool({
  name: 'fw_explain_idiom',
  description: 'Explain a framework convention: why, what to do, what not.',
  input: Type.Object({ topic: Type.Optional(Type.String({ description: 'rule id or words; default all' })) }),
  output: Type.Object({ rules: Type.Array(Rule), count: Type.Integer() }),
  texts: ['topic'],
  reach: 'inProcess',
  effects: [],
  run: async ({ topic = '' }) => {
    const rules = topic.trim() === '' ? IDIOMS : findIdioms(topic);
    if (rules.length === 0) {
      throw fwError(KNOWLEDGE_ERRORS.FW_TOOLS_IDIOM, { topic, known: IDIOMS.map(({ rule }) => rule) });
    }
    return {
      summary: rules.map(({ rule, summary }) => `${rule}: ${summary}`).join('\n'),
      structured: { rules: rules.map((rule) => ({ ...rule })), count: rules.length },
    };
  },
});
