import { type Static, Type } from '../../../../kernel/index.js';
import type { ProjectState } from './project-state.js';

/** Something that is worth doing next. */
export const Suggestion = Type.Object({
  kind: Type.String(),
  subject: Type.Optional(Type.String({ description: 'route, model, file or feature' })),
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

/** Looks for one thing that is worth doing. */
export interface NextStepRule {
  readonly kind: string;
  readonly severity: Suggestion['severity'];
  find(state: ProjectState): readonly Omit<Suggestion, 'kind' | 'severity'>[];
}
