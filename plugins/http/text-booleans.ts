import type { TSchema } from 'typebox';

const SPELLINGS: Readonly<Record<string, string>> = {
  '1': 'true',
  yes: 'true',
  on: 'true',
  '0': 'false',
  no: 'false',
  off: 'false',
};

/**
 * Text sources spell booleans in more ways than JSON: `on` is what an HTML checkbox sends. Turns the usual spellings of the
 * boolean members of a schema into `true` and `false`, in place.
 *
 * @returns undefined when the schema has no boolean members
 */
export function textBooleansOf(schema: TSchema): ((value: unknown) => void) | undefined {
  const properties = (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {};
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'boolean');
  if (names.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    const members = value as Record<string, unknown>;
    for (const name of names) members[name] = spelled(members[name]);
    for (const name of names) if (members[name] === undefined) delete members[name];
  };
}

function spelled(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  return SPELLINGS[word] ?? (word === 'true' || word === 'false' ? word : value);
}
