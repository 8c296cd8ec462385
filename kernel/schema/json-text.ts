/**
 * A value as JSON. A bigint has no JSON form (ECMA-262, SerializeJSONProperty) and becomes text, as in the schema of such a column. Values
 * without a bigint are serialised at full speed.
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
    // A bigint cannot be detected in advance without visiting every member.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, bigintAsText);
  }
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
