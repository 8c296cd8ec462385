import { type Static, Type } from '../../../../kernel/index.js';
import { Integer, optional, Text } from '../../../../kernel/schema/index.js';

/** A violation of a convention in the sources of a project. */
export const Finding = Type.Object({
  file: Type.String({ description: 'relative to the project' }),
  line: Integer,
  column: Integer,
  rule: Text,
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  message: Text,
  excerpt: Type.String({ description: 'the line itself' }),
  fix: Type.String({ description: 'what to do' }),
  replacement: optional(
    Type.Object({ from: Text, to: Text }, { description: 'text to replace in the file, where the fix is mechanical' }),
  ),
  alike: optional(Type.Integer({ description: 'more of the same cause' })),
});
export type Finding = Static<typeof Finding>;
