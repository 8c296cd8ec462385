import { onOneLine, type Dialect, type ScriptStatement, type Transaction } from '../core/index.js';
import { digest } from '../schema/names.js';
import type { Migration, MigrationContext, MoveStep } from './migration.js';

/** A part of a migration with a record of its own: one statement of its SQL, or everything that a function does. */
export interface Step {
  /** Place in the migration, from 1 on. */
  readonly number: number;
  /** Digest of its text. */
  readonly digest: string;
  /** Beginning of its text, for people who read it. */
  readonly shown: string;
  /** Whether the step is atomic: after a failure nothing of it remains. */
  readonly whole: boolean;
  /** The transaction that it runs in. */
  readonly transaction: ScriptStatement['transaction'];
  /** Undefined for a function. */
  readonly sql: string | undefined;
  /** The function of a step that moves data; after an interruption it runs again from its beginning. */
  readonly move?: MoveStep;
  /** The setting that another session must repeat when it continues after this step. */
  readonly ofSession: string | undefined;
  run(context: MigrationContext, tx: Transaction): Promise<void> | void;
}

const SHOWN = 200;
const DIGITS = 40;

/** The steps of a migration in one direction, in order. */
export function stepsOf(
  migration: Migration,
  direction: MigrationContext['direction'],
  { schema }: Dialect,
): readonly Step[] {
  const steps: Step[] = [];
  const add = (text: string, step: Omit<Step, 'number' | 'digest' | 'shown'>) =>
    steps.push({ number: steps.length + 1, digest: digest(text, DIGITS), shown: shown(text), ...step });
  for (const name of direction === 'up' ? (['up', 'move', 'seed'] as const) : (['down'] as const)) {
    if (name === 'move') {
      const { move } = migration;
      const none = {
        whole: true,
        transaction: 'none',
        sql: undefined,
        ofSession: undefined,
        run: () => undefined,
      } as const;
      if (move !== undefined) add('the function move', { ...none, move });
      continue;
    }
    const { [name]: run, scripts: { [name]: script } = {} } = migration;
    if (script !== undefined && schema.statements !== undefined) {
      for (const { sql, several, transaction, ofSession } of schema.statements(script))
        add(sql, {
          ...{ whole: !several, transaction, sql, ofSession: ofSession ? sql : undefined },
          run: (_context, tx) => tx.script(sql),
        });
    } else if (run !== undefined) {
      add(`the function ${name}`, { whole: false, transaction: 'own', sql: undefined, ofSession: undefined, run });
    }
  }
  return steps;
}

// Not every database takes half of a surrogate pair.
const shown = (text: string): string => onOneLine(text).slice(0, SHOWN).toWellFormed();

/** Whether a step can share a transaction with its neighbours. */
export const isShared = ({ transaction }: Pick<Step, 'transaction'>): boolean => transaction === 'shared';

/**
 * Whether a migration runs step by step: the database commits every schema change, or the migration has a statement that cannot run in a
 * transaction.
 */
export function isStepwise(
  { scripts = {}, move }: Migration,
  direction: MigrationContext['direction'],
  { schema }: Dialect,
): boolean {
  if (schema.commitsChanges || (move !== undefined && direction === 'up')) return true;
  const texts = direction === 'up' ? [scripts.up, scripts.seed] : [scripts.down];
  return texts.some((text) => schema.statements?.(text ?? '').some(({ transaction }) => transaction === 'none'));
}

/** Groups the steps by transaction: neighbours that can be rolled back share one, so that their data changes are all or nothing. */
export function groupsOf(steps: readonly Step[]): (readonly Step[])[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (isShared(step) && last?.every(isShared)) last.push(step);
    else groups.push([step]);
  }
  return groups;
}
