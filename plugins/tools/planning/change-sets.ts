import { randomBytes } from 'node:crypto';
import { ChangeSet, type FileChange, fwError } from '../../../kernel/index.js';
import { PLANNING_ERRORS } from './errors.js';

/** Open change sets per server. */
export const MAX_OPEN = 32;
/** Staged calls per change set. */
export const MAX_CALLS = 100;

/** A staged call of a change set. */
export interface StagedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Changes of this call on top of the previous calls. */
  readonly changes: readonly FileChange[];
  readonly output: readonly string[];
  /** RFC 3339, UTC. */
  readonly staged_at: string;
}

/** An open change set. */
export interface OpenChangeSet {
  readonly id: string;
  readonly files: ChangeSet;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly calls: StagedCall[];
}

/** The change sets of one server. They are only in memory: a restart drops them, and changes no project. */
export class ChangeSets {
  readonly #open = new Map<string, OpenChangeSet>();

  /** @throws FwError `FW_TOOLS_CHANGE_SETS_FULL`, `FW_PATH_ROOTS` */
  async begin(project: string): Promise<OpenChangeSet> {
    this.#refuseFull();
    const files = await ChangeSet.open(project);
    this.#refuseFull();
    const made = { id: `cs_${randomBytes(6).toString('hex')}`, files, created_at: new Date().toISOString(), calls: [] };
    this.#open.set(made.id, made);
    return made;
  }

  /** @throws FwError `FW_TOOLS_CHANGE_SET` */
  get(id: string): OpenChangeSet {
    const found = this.#open.get(id.trim());
    if (found) return found;
    throw fwError(PLANNING_ERRORS.FW_TOOLS_CHANGE_SET, { id, open: this.#ids() });
  }

  /** Removes a committed or discarded change set. */
  close(id: string): void {
    this.#open.delete(id);
  }

  #refuseFull(): void {
    if (this.#open.size < MAX_OPEN) return;
    throw fwError(PLANNING_ERRORS.FW_TOOLS_CHANGE_SETS_FULL, { limit: MAX_OPEN, open: this.#ids() });
  }

  #ids(): string {
    return [...this.#open.keys()].join(', ') || 'none';
  }
}

/** The changes between two states of a change set. */
export function newChanges(
  before: readonly FileChange[],
  after: readonly FileChange[],
  digests: { readonly before: ReadonlyMap<string, string>; readonly after: ReadonlyMap<string, string> },
): readonly FileChange[] {
  const known = new Set(before.map(({ path }) => path));
  return after
    .filter(({ path }) => digests.before.get(path) !== digests.after.get(path))
    .map((change) =>
      known.has(change.path) && change.change === 'created' ? { ...change, change: 'modified' as const } : change,
    );
}
