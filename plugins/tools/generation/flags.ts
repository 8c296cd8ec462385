import { fwError, Type } from '../../../kernel/index.js';
import { Anything, optional, Text } from '../../../kernel/schema/index.js';
import type { FlagValue } from '../../../codegen/schematics/index.js';
import { GENERATION_ERRORS } from './errors.js';

/** Schema of the flags of a generator. */
export const Flags = optional(
  Type.Record(Text, Anything, {
    description: 'flags of the kind or feature; true sets one, false leaves it out',
  }),
);

/**
 * Flags of a call in the form for the generators. `false` and `null` omit a flag, but its name is checked all the same.
 * @throws FwError `FW_TOOLS_FLAG_VALUE` for a list or an object
 */
export function flagValues(
  flags: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, FlagValue | undefined>> {
  return Object.fromEntries(Object.entries(flags).map(([flag, value]) => [flag, flagValue(flag, value)]));
}

function flagValue(flag: string, value: unknown): FlagValue | undefined {
  if (value === false || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw fwError(GENERATION_ERRORS.FW_TOOLS_FLAG_VALUE, { flag });
}
