import { bodyDigest, readStamp } from '../../plugins/docs/index.js';

/** State of an llms file on the disk. */
export type LlmsStatus = 'current' | 'missing' | 'unstamped' | 'edited' | 'stale';

/** Result of the check of one file. */
interface LlmsFreshness {
  readonly status: LlmsStatus;
  /** One sentence; empty for a current file. */
  readonly reason: string;
  /** Parts that differ from what the project says now: `added GET /x`, `changed GET /x`, `removed GET /x`. */
  readonly changes: readonly string[];
}

const CURRENT: LlmsFreshness = { status: 'current', reason: '', changes: [] };

/**
 * Compares a file with what the project says now.
 * @param found - its text; undefined when there is no file
 * @param expected - the text that it should have
 */
export function freshnessOf(found: string | undefined, expected: string): LlmsFreshness {
  if (found === undefined) return { status: 'missing', reason: 'there is no such file', changes: [] };
  const [recorded, isStamped] = readStamp(found);
  if (!isStamped)
    return { status: 'unstamped', reason: 'it has no freshness stamp, so it was written by hand', changes: [] };
  const own = bodyDigest(found);
  if (own === bodyDigest(expected) && own === recorded) return CURRENT;
  const changes = changesBetween(found, expected);
  if (own !== recorded) return { status: 'edited', reason: 'it was edited after it was generated', changes };
  return { status: 'stale', reason: 'the project has changed since it was generated', changes };
}

/** Names the parts in which two llms files differ, in the order of the second. */
export function changesBetween(before: string, after: string): readonly string[] {
  const [old, fresh] = [partsOf(before), partsOf(after)];
  const removed = [...old.keys()].filter((name) => !fresh.has(name)).map((name) => `removed ${name}`);
  const others = [...fresh].flatMap(([name, text]) => {
    if (!old.has(name)) return [`added ${name}`];
    return old.get(name) === text ? [] : [`changed ${name}`];
  });
  return [...others, ...removed];
}

const INTRODUCTION = 'the introduction';

// A part begins at a heading (`### \`GET /x\``) or, in the index, is a line of a list (`- \`GET /x\` ...`).
function partsOf(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  let name = INTRODUCTION;
  for (const line of text.split('\n')) {
    if (line.startsWith('<!-- fw-llms-stamp:')) continue;
    name = partName(line) ?? name;
    // Compares only named parts; counts in headings follow from these.
    if (!/^## /.test(line)) parts.set(name, `${parts.get(name) ?? ''}${line.trimEnd()}\n`);
  }
  return new Map([...parts].map(([key, part]) => [key, part.trimEnd()]));
}

function partName(line: string): string | undefined {
  if (/^## /.test(line)) return line.replace(/^## | \(\d+\)$/g, '');
  return /^### `(.+)`$/.exec(line)?.[1] ?? /^- `([A-Z]+ \/[^`]*)`/.exec(line)?.[1];
}
