import type { ServerResponse } from 'node:http';

/** Adds field names to `Vary` (RFC 9110, section 12.5.5), each once. */
export function addVary(response: ServerResponse, ...fields: readonly string[]): void {
  varyBy(...fields)(response);
}

/** Makes a function that adds field names to the `Vary` of each response; it caches the last list. */
export function varyBy(...fields: readonly string[]): (response: ServerResponse) => void {
  let seen: string | undefined;
  let extended = '';
  return (response) => {
    const names = listOf(response.getHeader('Vary'));
    if (names !== seen) {
      extended = fields.reduce(withField, names);
      seen = names;
    }
    if (extended !== names) response.setHeader('Vary', extended);
  };
}

function listOf(current: number | string | string[] | undefined): string {
  if (typeof current === 'string') return current;
  return Array.isArray(current) ? current.join(', ') : String(current ?? '');
}

function withField(names: string, field: string): string {
  if (names === '') return field;
  return isListed(names, field) ? names : `${names}, ${field}`;
}

function isListed(names: string, field: string): boolean {
  const wanted = field.toLowerCase();
  return names.split(',').some((name) => name.trim() === '*' || name.trim().toLowerCase() === wanted);
}
