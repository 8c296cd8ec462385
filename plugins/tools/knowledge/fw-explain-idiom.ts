import { Type } from 'typebox';
import { defineTool, fwError } from '../../../kernel/index.js';
import { answerOf, frameworkKnowledge } from '../../../kernel/knowledge/index.js';
import { KNOWLEDGE_ERRORS } from './errors.js';
import { findIdioms, type Idiom, IDIOMS } from './idioms.js';

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

const Match = Type.Object({
  heading: Type.String(),
  kind: Type.String(),
  place: Type.String(),
  excerpt: Type.String(),
});

const FURTHER = 5;

export const fwExplainIdiom = defineTool({
  name: 'fw_explain_idiom',
  description: 'Explain a framework convention: why, what to do, what not; other topics from the documentation.',
  input: Type.Object({ topic: Type.Optional(Type.String({ description: 'rule id or words; default all' })) }),
  output: Type.Object({
    rules: Type.Array(Rule),
    count: Type.Integer(),
    documentation: Type.Optional(Type.Array(Match, { description: 'where no rule is about the topic' })),
  }),
  texts: ['topic'],
  reach: 'inProcess',
  effects: [],
  run: async ({ topic = '' }) => {
    const rules = topic.trim() === '' ? IDIOMS : findIdioms(topic);
    if (rules.length === 0) return fromDocumentation(topic);
    return {
      summary: rules.length === 1 ? `${rules[0]?.rule}: ${rules[0]?.summary}` : `${rules.length} conventions`,
      ...(rules.length === 1 && { text: inWords(rules[0] as Idiom) }),
      structured: { rules: rules.map((rule) => ({ ...rule })), count: rules.length },
    };
  },
});

function inWords({ rule, severity, summary, why, do: right, dont }: Idiom): string {
  return `${rule} (${severity}): ${summary}\nWhy: ${why}\nDo: ${right}\nDo not: ${dont}`;
}

async function fromDocumentation(topic: string) {
  const found = (await frameworkKnowledge()).search(topic);
  if (found.length === 0)
    throw fwError(KNOWLEDGE_ERRORS.FW_TOOLS_IDIOM, { topic, known: IDIOMS.map(({ rule }) => rule) });
  const { results, text } = answerOf(found, { limit: 1 + FURTHER });
  const summary = `No convention is about "${topic}"; the documentation says:`;
  return {
    summary,
    text: `${summary}\n\n${text}`,
    structured: { rules: [], count: 0, documentation: [...results] },
  };
}
