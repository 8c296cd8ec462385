import { type Static, Type } from '../../../../kernel/index.js';
import { Members, optional, optionalText, Text } from '../../../../kernel/schema/index.js';
import type { ProjectState } from './project-state.js';

/** A suggested next step. */
export const Suggestion = Type.Object({
  kind: Text,
  subject: optionalText('route, model, file or feature'),
  also: optional(Type.Array(Text, { description: 'further subjects that the same step is for' })),
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('info')]),
  rationale: Text,
  action: Text,
  call: optional(Type.Object({ tool: Text, arguments: Members }, { description: 'the tool call that does it' })),
});
export type Suggestion = Static<typeof Suggestion>;

/** A rule that finds one kind of next step. */
export interface NextStepRule {
  readonly kind: string;
  readonly severity: Suggestion['severity'];
  find(state: ProjectState): readonly Omit<Suggestion, 'kind' | 'severity'>[];
}
