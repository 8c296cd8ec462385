import { type Static, Type } from '../../../../kernel/index.js';

/** A violation of a convention in the sources of a project. */
export const Finding = Type.Object({
  file: Type.String({ description: 'relative to the project' }),
  line: Type.Integer(),
  column: Type.Integer(),
  rule: Type.String(),
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  message: Type.String(),
  excerpt: Type.String({ description: 'the line itself' }),
  fix: Type.String({ description: 'what to do' }),
  replacement: Type.Optional(
    Type.Object(
      { from: Type.String(), to: Type.String() },
      { description: 'text to replace in the file, where the fix is mechanical' },
    ),
  ),
  alike: Type.Optional(Type.Integer({ description: 'more of the same cause' })),
});
export type Finding = Static<typeof Finding>;
