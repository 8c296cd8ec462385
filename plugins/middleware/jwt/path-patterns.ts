import { decodedSegments, pathOfTarget } from '../../http/index.js';

/** Tells whether a request target is under one of the patterns. */
export type TargetTest = (target: string) => boolean;

/**
 * A test for patterns such as `/api/admin/**`: `*` is one segment, `**` at the end any number of them, none included. Paths
 * are taken apart and decoded exactly as the router does it, so that no spelling of a path slips through.
 *
 * @returns a test that throws FwError `FW_HTTP_PATH_MALFORMED` (400) for a path that cannot be decoded
 */
export function targetTest(patterns: readonly string[]): TargetTest {
  if (patterns.length === 0) return () => false;
  if (patterns.includes('/**')) return everyTarget;
  const parsed = patterns.map((pattern) => decodedSegments(pathOfTarget(pattern)));
  const remembered = new Map<string, boolean>();
  return (target) => {
    const path = pathOfTarget(target);
    const known = remembered.get(path);
    if (known !== undefined) return known;
    const segments = decodedSegments(path);
    const result = parsed.some((pattern) => matches(pattern, segments));
    if (remembered.size >= MEMO_SIZE) remembered.clear();
    remembered.set(path, result);
    return result;
  };
}

// Still takes a malformed path apart, so that it is refused as the router refuses it.
function everyTarget(target: string): boolean {
  if (target.includes('%')) decodedSegments(pathOfTarget(target));
  return true;
}

/** Most paths whose outcome is remembered. */
const MEMO_SIZE = 1024;

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const open = pattern.at(-1) === '**';
  const fixed = open ? pattern.slice(0, -1) : pattern;
  if (open ? segments.length < fixed.length : segments.length !== fixed.length) return false;
  return fixed.every((part, index) => part === '*' || part === segments[index]);
}
