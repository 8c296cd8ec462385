import { onOneLine, type Dialect, type ScriptStatement, type Transaction } from '../core/index.js';
import { digest } from '../schema/names.js';
import type { Migration, MigrationContext } from './migration.js';

/** A part of a migration that is noted by itself: a statement of its SQL, or all that a function does. */
export interface Step {
  /** Place in the migration, from 1 on. */
  readonly number: number;
  /** Digest of its text. */
  readonly digest: string;
  /** Begin of its text, for whoever looks. */
  readonly shown: string;
  /** Whether the database refuses it as a whole, so that a failure leaves nothing of it. */
  readonly whole: boolean;
  /** The transaction that it runs in. */
  readonly transaction: ScriptStatement['transaction'];
  /** Undefined for a function. */
  readonly sql: string | undefined;
  /** What another session has to be told that goes on behind it. */
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
  for (const name of direction === 'up' ? (['up', 'seed'] as const) : (['down'] as const)) {
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

// Half of a letter of two units is none that every database takes.
const shown = (text: string): string => onOneLine(text).slice(0, SHOWN).toWellFormed();

/** Whether a step can be undone together with its neighbours. */
export const isShared = ({ transaction }: Pick<Step, 'transaction'>): boolean => transaction === 'shared';

/**
 * Whether a migration runs step by step: the database commits every change of the schema, or it holds a statement that no transaction
 * may be around.
 */
export function isStepwise(
  { scripts = {} }: Migration,
  direction: MigrationContext['direction'],
  { schema }: Dialect,
): boolean {
  if (schema.commitsChanges) return true;
  const texts = direction === 'up' ? [scripts.up, scripts.seed] : [scripts.down];
  return texts.some((text) => schema.statements?.(text ?? '').some(({ transaction }) => transaction === 'none'));
}

/** Steps by transactions: neighbours that can be undone share one, so that data is changed altogether or not at all. */
export function groupsOf(steps: readonly Step[]): (readonly Step[])[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (isShared(step) && last?.every(isShared)) last.push(step);
    else groups.push([step]);
  }
  return groups;
}
