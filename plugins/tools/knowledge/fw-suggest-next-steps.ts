import { defineTool, pageOf, Type } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { projectState } from './next-steps/project-state.js';
import { NEXT_STEP_RULES } from './next-steps/rules.js';
import { Suggestion } from './next-steps/suggestion.js';

/** Further subjects of a step that are named. */
const MOST_SUBJECTS = 5;

export const fwSuggestNextSteps = defineTool({
  name: 'fw_suggest_next_steps',
  description:
    'Find what a project still lacks, from its sources, most pressing first: each with the call that does it.',
  input: Type.Object({
    path: optionalText('project root'),
    limit: optional(Type.Integer({ minimum: 1 })),
  }),
  output: Type.Object({
    path: Text,
    suggestions: Type.Array(Suggestion),
    count: Integer,
    checked: Type.Array(Text, { description: 'kinds that were looked for' }),
    notes: Texts,
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: [],
  run: async ({ path, limit }, context) => {
    const root = path ?? context.workspace;
    const state = await projectState(root, context);
    const found = NEXT_STEP_RULES.flatMap(({ kind, severity, find }) =>
      find(state).map((suggestion) => ({ kind, severity, ...suggestion })),
    );
    const steps = oncePerStep(found);
    const { shown, notes } = pageOf(steps, limit, 'pass limit');
    const [first] = steps;
    const call = first?.call ? ` Call ${first.call.tool} ${JSON.stringify(first.call.arguments)}.` : '';
    return {
      summary: first
        ? `${steps.length} suggestion(s). First: ${first.kind}${first.subject ? ` (${first.subject})` : ''}: ${first.action}${call}`
        : 'Nothing is missing. fw_verify_project says whether it works.',
      structured: {
        path: root,
        suggestions: shown,
        count: steps.length,
        checked: NEXT_STEP_RULES.map(({ kind }) => kind),
        notes,
      },
    };
  },
});

// What one call does for many subjects is one step.
function oncePerStep(found: readonly Suggestion[]): readonly Suggestion[] {
  const steps = new Map<string, Suggestion[]>();
  for (const suggestion of found) {
    const { subject: _subject, ...step } = suggestion;
    const key = JSON.stringify(step);
    steps.set(key, [...(steps.get(key) ?? []), suggestion]);
  }
  return [...steps.values()].flatMap(([first, ...others]) => {
    const subjects = others.flatMap(({ subject }) => subject ?? []);
    const more = subjects.length - MOST_SUBJECTS;
    const also = [...subjects.slice(0, MOST_SUBJECTS), ...(more > 0 ? [`${more} more`] : [])];
    return first ? [{ ...first, ...(also.length > 0 && { also }) }] : [];
  });
}
