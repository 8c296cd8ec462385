import { defineTool, Type } from '../../../kernel/index.js';
import { projectState } from './next-steps/project-state.js';
import { NEXT_STEP_RULES } from './next-steps/rules.js';
import { Suggestion } from './next-steps/suggestion.js';

const MOST = 100;

export const fwSuggestNextSteps = defineTool({
  name: 'fw_suggest_next_steps',
  description:
    'Find what a project still lacks, from its sources, most pressing first: each with the call that does it.',
  input: Type.Object({ path: Type.Optional(Type.String({ description: 'project root' })) }),
  output: Type.Object({
    path: Type.String(),
    suggestions: Type.Array(Suggestion),
    count: Type.Integer(),
    checked: Type.Array(Type.String(), { description: 'kinds that were looked for' }),
    notes: Type.Array(Type.String()),
  }),
  paths: ['path'],
  reach: 'workspace',
  effects: [],
  run: async ({ path }, context) => {
    const root = path ?? context.workspace;
    const state = await projectState(root, context);
    const found = NEXT_STEP_RULES.flatMap(({ kind, severity, find }) =>
      find(state).map((suggestion) => ({ kind, severity, ...suggestion })),
    );
    const [first] = found;
    const call = first?.call ? ` Call ${first.call.tool} ${JSON.stringify(first.call.arguments)}.` : '';
    return {
      summary: first
        ? `${found.length} suggestion(s). First: ${first.kind}${first.subject ? ` (${first.subject})` : ''}: ${first.action}${call}`
        : 'Nothing is missing. fw_verify_project says whether it works.',
      structured: {
        path: root,
        suggestions: found.slice(0, MOST),
        count: found.length,
        checked: NEXT_STEP_RULES.map(({ kind }) => kind),
        notes: found.length > MOST ? [`only the first ${MOST} are listed`] : [],
      },
    };
  },
});
