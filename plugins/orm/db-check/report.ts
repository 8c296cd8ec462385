/** Steps of `fw db check`, in their order. */
const CHECK_STEPS = ['pull', 'codegen', 'types', 'diff', 'cells', 'write'] as const;

export type CheckStep = (typeof CHECK_STEPS)[number];

/** Something that the framework handles wrongly with this database. */
export interface CheckProblem {
  readonly step: CheckStep;
  /** Table, or table and column, as the database names them. */
  readonly place?: string;
  readonly problem: string;
  /** How many cells or rows. */
  readonly count?: number;
  /** The first of them. */
  readonly example?: string;
}

/** What `fw db check` found. */
export interface DbCheckResult {
  readonly ok: boolean;
  /** Name of the dialect. */
  readonly dialect: string;
  readonly tables: number;
  readonly models: number;
  /** Rows and cells that were read and compared. */
  readonly rows: number;
  readonly cells: number;
  /** Rows that were written back; undefined where that was not asked for. */
  readonly written?: number;
  readonly problems: readonly CheckProblem[];
  /** Notes that are no mistakes of the framework. */
  readonly notes: readonly string[];
  /** Steps that were not done, and why. */
  readonly skipped: Partial<Readonly<Record<CheckStep, string>>>;
}

/** Collects findings; equal findings of many cells are merged. */
export class Findings {
  readonly #problems = new Map<string, CheckProblem>();
  readonly #notes = new Set<string>();
  readonly skipped: Partial<Record<CheckStep, string>> = {};

  add(found: Omit<CheckProblem, 'count'>): void {
    const key = JSON.stringify([found.step, found.place, found.problem]);
    const known = this.#problems.get(key);
    this.#problems.set(key, { ...(known ?? found), count: (known?.count ?? 0) + 1 });
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  get problems(): readonly CheckProblem[] {
    return [...this.#problems.values()];
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }
}

/** The result for people. */
export function reportOf(result: DbCheckResult): readonly string[] {
  const { problems, notes, skipped } = result;
  const lines = CHECK_STEPS.flatMap((step) => {
    const found = problems.filter((each) => each.step === step);
    const mark = skipped[step] === undefined ? (found.length > 0 ? 'FAIL' : 'ok  ') : 'skip';
    return [`${mark} ${step.padEnd('codegen'.length)}  ${skipped[step] ?? saidOf(step, result)}`, ...found.map(lineOf)];
  });
  const verdict = result.ok
    ? 'The database is read and described as it is.'
    : `${problems.length} ${problems.length === 1 ? 'thing is' : 'things are'} not right.`;
  return [...lines, ...notes.map((note) => `note: ${note}`), verdict];
}

const SAID: Readonly<Record<CheckStep, (result: DbCheckResult) => string>> = {
  pull: ({ tables, models }) => `${counted(models, 'model')} of ${counted(tables, 'table')}`,
  codegen: () => 'accessors of the models',
  types: () => 'tsc over both',
  diff: () => 'the models beside the database',
  cells: ({ rows, cells }) => `${counted(cells, 'cell')} of ${counted(rows, 'row')} beside what the database says`,
  write: ({ written = 0 }) => `${counted(written, 'row')} written back as read, and rolled back`,
};

const saidOf = (step: CheckStep, result: DbCheckResult): string => SAID[step](result);

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function lineOf({ place, problem, count = 1, example }: CheckProblem): string {
  const times = count === 1 ? '' : ` (${count} times)`;
  return `       ${place === undefined ? '' : `${place} `}${problem}${times}${example === undefined ? '' : `: ${example}`}`;
}
