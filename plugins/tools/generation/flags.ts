import { fwError, Type } from '../../../kernel/index.js';
import type { FlagValue } from '../../../codegen/schematics/index.js';
import { GENERATION_ERRORS } from './errors.js';

/** Schema of the flags of a generator. */
export const Flags = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'flags as on the command line; true sets one, false leaves it out',
  }),
);

/**
 * Flags of a call as the generators take them: `false` and `null` leave one out.
 * @throws FwError `FW_TOOLS_FLAG_VALUE` for a list or an object
 */
export function flagValues(flags: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, FlagValue>> {
  const given = Object.entries(flags).filter(([, value]) => value !== false && value !== null);
  for (const [flag, value] of given) {
    if (!['string', 'number', 'boolean'].includes(typeof value))
      throw fwError(GENERATION_ERRORS.FW_TOOLS_FLAG_VALUE, { flag });
  }
  return Object.fromEntries(given) as Record<string, FlagValue>;
}
