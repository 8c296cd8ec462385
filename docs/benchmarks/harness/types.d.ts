/** What one run of a subject gave, by metric: `{ answerMs: 231.4, rssMiB: 58 }`. */
export type Sample = Readonly<Record<string, number>>;

/** One thing that is measured: the product, a peer, or the floor that all are compared with. */
export interface Subject {
  readonly name: string;
  /** Throws when the subject does not do the work that is asked of all of them. Runs once, before anything is timed. */
  readonly check: () => Promise<unknown>;
  readonly sample: () => Promise<Sample>;
}

/** A subject whose part of a round is cut into slices, between which those of the others have their turns. */
export interface SlicedSubject extends Omit<Subject, 'sample'> {
  /** Makes ready for the slices of one round. */
  readonly begin: () => Promise<Slices>;
}

/** The slices of one round of one subject. */
export interface Slices {
  readonly sample: () => Promise<Sample>;
  readonly end: () => void;
}

/** One round: each subject's sample, all taken within seconds of each other. */
export type Round = Readonly<Record<string, Sample>>;

/** What was promised about a number; exactly one of the two. */
export interface Goal {
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Which way a ratio is formed, so that the goal reads naturally: cost over cost, or speed as a multiple. */
export type Formula = 'subject ÷ baseline' | 'baseline ÷ subject';

/** A baseline value and the value of the subject next to it in time. */
export type Pair = readonly [baseline: number, subject: number];

/** A row of a table as a bench hands it in. */
export interface RowInput {
  readonly subject: string;
  /** Measured next to the baseline; for tables of ratios. */
  readonly pairs?: readonly Pair[];
  /** Measured alone; for tables of absolute values. */
  readonly values?: readonly number[];
  readonly goal?: Goal;
  /** True for the baseline measured against itself. */
  readonly control?: boolean;
  /** What was done, in a table of several operations, each of which has a control of its own. */
  readonly operation?: string;
}

/** A table as a bench hands it in. */
export interface TableInput {
  readonly id: string;
  readonly title: string;
  /** Of the measured value: `ms`, `us`, `MiB`, `req/s`. */
  readonly unit: string;
  /** Ratios are formed with it; a table without one has absolute values and absolute goals. */
  readonly baseline?: string;
  readonly formula?: Formula;
  readonly rows: readonly RowInput[];
}

/** Five numbers that describe a series. */
export interface Summary {
  readonly n: number;
  readonly min: number;
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
  readonly max: number;
}

/**
 * `met` or `missed` by the median, `close` when the quartiles lie on both sides of the goal; `none` where the quartiles of the
 * control exclude 1.00.
 */
export interface Verdict {
  readonly verdict: 'met' | 'missed' | 'none';
  readonly close: boolean;
}

/** A row as it is written to the results. */
export interface Row {
  readonly subject: string;
  readonly operation?: string;
  readonly control: boolean;
  readonly value: Summary;
  readonly ratio?: Summary;
  readonly goal?: Goal;
  readonly verdict?: Verdict;
}

/** A table as it is written to the results. */
export interface Table extends Omit<TableInput, 'rows'> {
  readonly rows: readonly Row[];
}

/** A peer as the page names it; versions are read from what is installed. */
export interface Peer {
  readonly name: string;
  /** npm packages whose versions the page states. */
  readonly packages: readonly string[];
  readonly configuration: string;
}

/** What the command line asked for. */
export interface RunSettings {
  /** Most rounds; a bench's own default when left out. */
  readonly rounds?: number;
  /** The measuring stops after the round in which it is used up. */
  readonly budgetSeconds: number;
  /** Parts of the bench to measure, by a part of their name; all when empty. */
  readonly only: readonly string[];
  /** False when the product is measured as it was last built. */
  readonly build: boolean;
  readonly log: (line: string) => void;
}

/** One benchmark: the default export of `<name>/bench.mjs`. */
export interface Bench {
  /** Names the results file, the page and `npm run bench:<name>`. */
  readonly name: string;
  readonly title: string;
  /** Markdown: what one measurement is, from what to what, and how identical work was checked. */
  readonly measured: string;
  readonly peers: readonly Peer[];
  /** What `--only` chooses among; a bench without parts is measured as a whole. */
  readonly parts?: readonly string[];
  /** Default 100. */
  readonly budgetSeconds?: number;
  /** What a profile said stands in the way of a goal, as `<table id>/<subject>`; printed only where that goal is missed. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Tables that the page draws instead, as Markdown each. */
  readonly drawing?: (table: TableOfRuns) => string | undefined;
  /** Markdown that closes the page: what was left out, what not to conclude. */
  readonly limits?: string;
  readonly measure: (settings: RunSettings) => Promise<readonly TableInput[]>;
}

/** Where the numbers come from. No host name, no path. */
export interface Environment {
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly loadBefore: number;
  readonly loadAfter: number;
}

/** A finished run. */
export interface Results {
  readonly seconds: number;
  readonly environment: Environment;
  readonly versions: Readonly<Record<string, string>>;
  readonly tables: readonly Table[];
}

/** The runs of one release of Node, in their order. */
export interface Release {
  /** The major version: `26`. */
  readonly node: string;
  readonly runs: readonly Results[];
}

/** What `results/<name>.json` holds: all runs of a page, those that cannot say anything too. */
export interface PageResults {
  readonly name: string;
  readonly title: string;
  readonly releases: readonly Release[];
}

/** A row over the runs of one release. */
export interface RowOfRuns {
  readonly subject: string;
  readonly operation?: string;
  readonly control: boolean;
  /** The median of each run, in their order; of the ratio where there is one. */
  readonly medians: readonly number[];
  /** By place in `medians`: runs whose control excludes 1.00. */
  readonly crooked: readonly number[];
  /** Median of the medians: of the runs that are not crooked, or of all when all are. */
  readonly median: number;
  /** Median of the medians of the absolute value, in the unit of the table. */
  readonly value: number;
  readonly goal?: Goal;
  readonly verdict?: Verdict;
}

/** A table over the runs of one release. */
export interface TableOfRuns extends Omit<TableInput, 'rows'> {
  readonly rows: readonly RowOfRuns[];
}
