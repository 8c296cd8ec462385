import { type Static, Type } from '../../../../kernel/index.js';
import type { ProjectState } from './project-state.js';

/** A suggested next step. */
export const Suggestion = Type.Object({
  kind: Type.String(),
  subject: Type.Optional(Type.String({ description: 'route, model, file or feature' })),
  also: Type.Optional(Type.Array(Type.String(), { description: 'further subjects that the same step is for' })),
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('info')]),
  rationale: Type.String(),
  action: Type.String(),
  call: Type.Optional(
    Type.Object(
      { tool: Type.String(), arguments: Type.Record(Type.String(), Type.Unknown()) },
      { description: 'the tool call that does it' },
    ),
  ),
});
export type Suggestion = Static<typeof Suggestion>;

/** A rule that finds one kind of next step. */
export interface NextStepRule {
  readonly kind: string;
  readonly severity: Suggestion['severity'];
  find(state: ProjectState): readonly Omit<Suggestion, 'kind' | 'severity'>[];
}
