import type { ServerResponse } from 'node:http';

/** Adds field names to `Vary` (RFC 9110, section 12.5.5), each once. */
export function addVary(response: ServerResponse, ...fields: readonly string[]): void {
  const current = response.getHeader('Vary') ?? '';
  const names = Array.isArray(current) ? current.join(', ') : String(current);
  let extended = names;
  for (const field of fields) extended = extended === '' ? field : extend(extended, field);
  if (extended !== names) response.setHeader('Vary', extended);
}

/** Most lists that are remembered; an application has a handful. */
const MEMO_SIZE = 256;
const memo = new Map<string, Map<string, string>>();

// The same few lists come with every response.
function extend(names: string, field: string): string {
  const known = memo.get(field)?.get(names);
  if (known !== undefined) return known;
  const extended = isListed(names, field) ? names : `${names}, ${field}`;
  const lists = memo.get(field) ?? new Map<string, string>();
  if (memo.size < MEMO_SIZE && lists.size < MEMO_SIZE) memo.set(field, lists.set(names, extended));
  return extended;
}

function isListed(names: string, field: string): boolean {
  const wanted = field.toLowerCase();
  return names.split(',').some((name) => name.trim() === '*' || name.trim().toLowerCase() === wanted);
}
