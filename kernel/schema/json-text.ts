/**
 * A value as JSON. A bigint has no form of its own there (ECMA-262, SerializeJSONProperty) and becomes text, as the schema of
 * a column of that type says; what has none costs nothing.
 *
 * @throws TypeError when the value contains itself, or is a function or a symbol
 */
export function jsonText(value: unknown): string {
  const text = written(value) as string | undefined;
  if (text === undefined) throw new TypeError(`JSON has no form for a ${typeof value}`);
  return text;
}

function written(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Nobody could tell in advance, without a look at every member, that there is a bigint.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, bigintAsText);
  }
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
