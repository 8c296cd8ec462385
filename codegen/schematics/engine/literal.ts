import type { FlagValue } from './schematic.js';

/** A value as source text. */
export function literal(value: FlagValue): string {
  return typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : String(value);
}
