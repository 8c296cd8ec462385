/** Members that a `tracestate` header may have (W3C Trace Context, section 3.3.1.1). */
const MAX_MEMBERS = 32;
/** Characters that are passed on (section 3.3.1.5). */
const MAX_LENGTH = 512;
/** Members longer than this are dropped first when the header is too long (section 3.3.1.5). */
const LONG_MEMBER = 128;

const KEY = '(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})';
const VALUE = '[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]';
const MEMBER = new RegExp(`^(${KEY})=${VALUE}$`);

/**
 * The `tracestate` header to pass on: other vendors' members in their order, bounded as the recommendation says.
 *
 * @returns undefined when there is nothing to pass on, also when a member is malformed or a key appears twice
 */
export function passedOnTracestate(header: string | undefined): string | undefined {
  if (header === undefined || header === '' || header.length > 8 * MAX_LENGTH) return undefined;
  const members = header
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  if (members.length === 0 || members.length > MAX_MEMBERS || !areWellFormed(members)) return undefined;
  return fitted(members) || undefined;
}

function areWellFormed(members: readonly string[]): boolean {
  const keys = new Set<string>();
  for (const member of members) {
    const key = MEMBER.exec(member)?.[1];
    if (key === undefined || keys.has(key)) return false;
    keys.add(key);
  }
  return true;
}

function fitted(members: readonly string[]): string {
  const whole = members.join(',');
  if (whole.length <= MAX_LENGTH) return whole;
  const kept = members.filter((member) => member.length <= LONG_MEMBER);
  while (kept.join(',').length > MAX_LENGTH) kept.pop();
  return kept.join(',');
}
