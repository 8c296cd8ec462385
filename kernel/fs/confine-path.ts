import { fwError, type FwError } from '../errors/index.js';
import { FS_ERRORS } from './errors.js';
import { absolutePath } from './path-text.js';
import { firstLink, type RealPath, realPathOf } from './real-path.js';
import { isInside, type Root } from './roots.js';

/** A path that has been checked. */
export interface ConfinedPath {
  /** As it was asked for, made absolute; for messages. */
  readonly requested: string;
  /** With every link resolved: use this one for I/O, because it is the path that was checked. */
  readonly resolved: string;
  /** Whether something is there. */
  readonly exists: boolean;
  /** The root that it is in. */
  readonly root: Root;
}

/** How strictly to confine. */
export interface ConfineOptions {
  /** Absolute directory that relative paths start from, default the first root. It is checked like any other path. */
  readonly base?: string;
  /**
   * `none` refuses every link on the way, `inside` those that lead out. Default `inside`; on Windows `none`, because a
   * junction cannot be told from a symbolic link there and junctions are refused wherever they lead.
   */
  readonly links?: 'inside' | 'none';
}

/**
 * Confines a path to some roots (SPEC "Path confinement rules"):
 *
 * 1. a path outside every root is refused, absolute or by `../`;
 * 2. a path that resolves outside through a symbolic link is refused; both sides are resolved before they are compared;
 * 3. a path through a junction is refused;
 * 4. a path that does not exist yet is allowed, checked against its nearest existing ancestor.
 *
 * A check is not a lock: call {@link reconfine} right before writing, and open files without following links.
 *
 * @param candidate - as a caller wrote it
 * @param roots - from `openRoots`
 * @throws FwError `FW_PATH_MALFORMED`, `FW_PATH_OUTSIDE` (rule 1), `FW_PATH_SYMLINK` and `FW_PATH_DANGLING` (rule 2),
 * `FW_PATH_JUNCTION` (rule 3), `FW_PATH_UNRESOLVED`
 */
export async function confinePath(
  candidate: string,
  roots: readonly [Root, ...Root[]],
  options: ConfineOptions = {},
): Promise<ConfinedPath> {
  return confine(absolutePath(candidate, options.base ?? roots[0].declared), roots, options);
}

/**
 * Checks a confined path once more, right before it is written to.
 *
 * @throws FwError `FW_PATH_CHANGED` when it leads elsewhere by now, and whatever {@link confinePath} throws
 */
export async function reconfine(
  confined: ConfinedPath,
  roots: readonly [Root, ...Root[]],
  options: ConfineOptions = {},
): Promise<ConfinedPath> {
  const again = await confine(confined.resolved, roots, options);
  if (again.resolved === confined.resolved) return { ...again, requested: confined.requested };
  throw fwError(FS_ERRORS.FW_PATH_CHANGED, { path: confined.requested });
}

/**
 * Resolves a path in the same way without confining it, for `--allow-any-path`.
 *
 * @throws FwError `FW_PATH_MALFORMED`, `FW_PATH_DANGLING`, `FW_PATH_UNRESOLVED`
 */
export async function resolvePath(candidate: string, base: string): Promise<string> {
  const requested = absolutePath(candidate, base);
  const found = await realPathOf(requested);
  if ('resolved' in found) return found.resolved;
  throw unfollowed(found, requested, ['every directory']);
}

async function confine(
  requested: string,
  roots: readonly [Root, ...Root[]],
  { links = process.platform === 'win32' ? 'none' : 'inside' }: ConfineOptions,
): Promise<ConfinedPath> {
  const found = await realPathOf(requested);
  const root = 'resolved' in found ? roots.find((each) => isInside(each, each.resolved, found.resolved)) : undefined;
  if (!root || !('resolved' in found)) throw await refusal(found, requested, roots);
  if (links === 'none') await refuseLinks(requested, roots);
  return { requested, resolved: found.resolved, exists: found.exists, root };
}

// Every path outside is refused with the same sentence, so that the error does not tell what exists there.
async function refusal(found: RealPath, requested: string, roots: readonly Root[]): Promise<FwError> {
  const names = roots.map((each) => each.declared);
  const start = startOf(requested, roots);
  if (start === undefined) return fwError(FS_ERRORS.FW_PATH_OUTSIDE, { path: requested, roots: names });
  if (!('resolved' in found)) return unfollowed(found, requested, names);
  const link = (await firstLink(start, requested)) ?? start;
  return fwError(FS_ERRORS.FW_PATH_SYMLINK, { path: requested, link, roots: names });
}

function unfollowed(found: Exclude<RealPath, { resolved: string }>, path: string, roots: readonly string[]): FwError {
  if ('dangling' in found) return fwError(FS_ERRORS.FW_PATH_DANGLING, { path, link: found.dangling });
  return fwError(FS_ERRORS.FW_PATH_UNRESOLVED, { path, problem: found.problem, roots });
}

async function refuseLinks(requested: string, roots: readonly Root[]): Promise<void> {
  const start = startOf(requested, roots);
  const link = start === undefined ? requested : await firstLink(start, requested);
  if (link === undefined) return;
  throw fwError(FS_ERRORS.FW_PATH_JUNCTION, { path: requested, link, roots: roots.map((each) => each.declared) });
}

// The spelling of a root that a path begins with, before any link is followed.
function startOf(requested: string, roots: readonly Root[]): string | undefined {
  const spellings = roots.flatMap((root) => [root.declared, root.resolved].map((spelling) => ({ root, spelling })));
  return spellings.find(({ root, spelling }) => isInside(root, spelling, requested))?.spelling;
}
