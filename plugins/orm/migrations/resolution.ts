import { fwError } from '../../../kernel/index.js';
import { MIGRATION_ERRORS } from './errors.js';
import type { Migration, Resolution } from './migration.js';
import type { NotedStep } from './step-table.js';

/** State of a migration that a person resolves. */
export interface Found {
  /** Undefined when its file is missing. */
  readonly migration: Migration | undefined;
  /** Whether the version table lists it. */
  readonly applied: boolean;
  readonly noted: readonly NotedStep[];
}

/** Changes to make in the tables of the runner. */
export interface Resolved {
  readonly done?: NotedStep;
  readonly forget?: NotedStep;
  readonly forgetAll?: boolean;
  readonly add?: Migration;
  readonly remove?: boolean;
}

/**
 * Derives the changes from a person's statement about the outcome of a migration.
 *
 * @throws FwError `FW_MIGRATE_RESOLVE`
 */
export function resolution(version: string, as: Resolution, { migration, applied, noted }: Found): Resolved {
  const refused = (problem: string) => fwError(MIGRATION_ERRORS.FW_MIGRATE_RESOLVE, { version, as, problem });
  const begun = noted.find(({ state }) => state === 'begun');
  const forgetAll = noted.length > 0;
  switch (as) {
    case 'done':
    case 'undone':
      if (begun === undefined) throw refused('no statement of it is in doubt');
      return as === 'done' ? { done: begun } : { forget: begun };
    case 'applied':
      if (applied && !forgetAll) throw refused('it is applied');
      if (!applied && migration === undefined) throw refused('there is no such migration');
      return { forgetAll, ...(!applied && migration && { add: migration }) };
    case 'rolled-back':
      if (!applied && !forgetAll) throw refused('nothing of it is applied');
      return { forgetAll, remove: applied };
  }
}
