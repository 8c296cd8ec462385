import { Type } from 'typebox';
import { defineTool, fwError } from '../../../kernel/index.js';
import { answerOf, frameworkKnowledge, wholeSectionOf, type WholeSection } from '../../../kernel/knowledge/index.js';
import { Integer, optional, optionalText, Text, YesNo } from '../../../kernel/schema/index.js';
import { KNOWLEDGE_ERRORS } from './errors.js';
import { partOf } from './section-part.js';
import { findIdioms, type Idiom, IDIOMS } from './idioms.js';

const Rule = Type.Object({
  rule: Text,
  topic: Text,
  severity: Text,
  summary: Text,
  why: Text,
  do: Text,
  dont: Text,
  statically_checked: YesNo,
});

const Match = Type.Object({
  heading: Text,
  kind: Text,
  place: Text,
  excerpt: Text,
});

const FURTHER = 5;

export const fwExplainIdiom = defineTool({
  name: 'fw_explain_idiom',
  description: 'Explain a framework convention: why, what to do, what not; other topics from the documentation.',
  input: Type.Object({
    topic: optionalText('rule id, words or place; default all'),
    part: optional(Type.Integer({ description: 'of a place' })),
  }),
  output: Type.Object({
    rules: Type.Array(Rule),
    count: Integer,
    documentation: optional(Type.Array(Match, { description: 'where no rule is about the topic' })),
  }),
  texts: ['topic'],
  reach: 'inProcess',
  effects: [],
  run: async ({ topic = '', part = 1 }) => {
    const rules = topic.trim() === '' ? IDIOMS : findIdioms(topic);
    if (rules.length === 0) return fromDocumentation(topic, part);
    return {
      summary: rules.length === 1 ? `${rules[0]?.rule}: ${rules[0]?.summary}` : `${rules.length} conventions`,
      ...(rules.length === 1 && { text: inWords(rules[0] as Idiom) }),
      structured: { rules, count: rules.length },
    };
  },
});

function inWords({ rule, severity, summary, why, do: right, dont }: Idiom): string {
  return `${rule} (${severity}): ${summary}\nWhy: ${why}\nDo: ${right}\nDo not: ${dont}`;
}

function ofPlace(whole: WholeSection, part: number) {
  const { text, match } = partOf(whole, part);
  return {
    summary: `${whole.place}, part ${part} of ${whole.parts.length}.`,
    text,
    structured: { rules: [], count: 0, documentation: [match] },
  };
}

async function fromDocumentation(topic: string, part: number) {
  const knowledge = await frameworkKnowledge();
  const whole = await wholeSectionOf(knowledge, topic);
  if (whole !== undefined) return ofPlace(whole, part);
  const found = knowledge.search(topic);
  if (found.length === 0)
    throw fwError(KNOWLEDGE_ERRORS.FW_TOOLS_IDIOM, { topic, known: IDIOMS.map(({ rule }) => rule) });
  const { results, text } = answerOf(found, { limit: 1 + FURTHER });
  const summary = `No convention is about "${topic}"; the documentation says:`;
  return {
    summary,
    text: `${summary}\n\n${text}`,
    structured: { rules: [], count: 0, documentation: results },
  };
}
