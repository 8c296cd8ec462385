// Parameters travel as text, which PostgreSQL reads by the type that it gives each of them.
import { types } from '@electric-sql/pglite';

/** Types whose values stay text: the codecs of the dialect know what the column is. */
const LEFT_AS_TEXT = [types.INT8, types.DATE, types.TIMESTAMP, types.TIMESTAMPTZ, types.JSON, types.JSONB];

/** How PGlite reads values. */
export const parsers = Object.fromEntries(LEFT_AS_TEXT.map((type) => [type, (text) => text]));

/** The text of a parameter. */
export function parameterText(value) {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return arrayText(value);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value);
}

// https://www.postgresql.org/docs/current/arrays.html, "Array Input and Output Syntax"
function arrayText(values) {
  const elements = values.map((value) => {
    if (Array.isArray(value)) return arrayText(value);
    const text = parameterText(value);
    return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}
