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

/** Something that is told and no mistake of the framework. */
interface CheckNote {
  readonly note: string;
  /** What it is said of, as the database names it: tables, columns, the folder that was kept; none where the note says it. */
  readonly places: readonly string[];
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
  readonly notes: readonly CheckNote[];
  /** Steps that were not done, and why. */
  readonly skipped: Partial<Readonly<Record<CheckStep, string>>>;
}

/** Collects findings; equal findings of many cells are merged, and equal notes of many columns. */
export class Findings {
  readonly #problems = new Map<string, CheckProblem>();
  readonly #notes = new Map<string, Set<string>>();
  readonly skipped: Partial<Record<CheckStep, string>> = {};

  add(found: Omit<CheckProblem, 'count'>): void {
    const key = JSON.stringify([found.step, found.place, found.problem]);
    const known = this.#problems.get(key);
    this.#problems.set(key, { ...(known ?? found), count: (known?.count ?? 0) + 1 });
  }

  /** @param place - table or column that the note says something of */
  note(note: string, place?: string): void {
    const places = this.#notes.get(note) ?? new Set();
    this.#notes.set(note, place === undefined ? places : places.add(place));
  }

  get problems(): readonly CheckProblem[] {
    return [...this.#problems.values()];
  }

  get notes(): readonly CheckNote[] {
    return [...this.#notes].map(([note, places]) => ({ note, places: [...places] }));
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
  return [...lines, ...notes.map(noteLine), verdict];
}

/** Places of a note that a line names. */
const NAMED_PLACES = 8;

function noteLine({ note, places }: CheckNote): string {
  const [only, ...more] = places;
  if (more.length === 0) return `note: ${only === undefined ? '' : `${only} `}${note}`;
  const rest = places.length - NAMED_PLACES;
  const named = places.slice(0, NAMED_PLACES).join(', ');
  return `note: each of ${places.length} ${note}: ${named}${rest > 0 ? ` and ${rest} more (--json names all)` : ''}`;
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
