import type { PluginCategory } from '../contracts/category.js';

/** State of a plugin of `app.config.ts`. */
export type PluginState = 'disabled' | 'registered' | 'ready' | 'degraded' | 'failed' | 'stopped';

/** One plugin in the boot report. */
export interface BootReportEntry {
  /** Plugin id, or the import specifier of an entry that was never imported. */
  readonly id: string;
  readonly category: PluginCategory | 'unknown';
  /** Plugin that added this one; empty for a plugin that `app.config.ts` lists. */
  readonly broughtBy: string;
  /** Names of the tools that it contributes, sorted; known once the application is up. */
  readonly tools: readonly string[];
  readonly state: PluginState;
  /** Why the state is not `ready`; empty otherwise. */
  readonly reason: string;
  /** Code of the error behind the reason, where it has one. */
  readonly code?: string;
  /** Milliseconds spent in import, register and start. */
  readonly importMs: number;
  readonly registerMs: number;
  readonly startMs: number;
}

/** What happened at boot, in start order; the CLI, the dashboard and the `kernel` probe show the same object. */
export interface BootReport {
  readonly app: string;
  readonly profile: string;
  /** Milliseconds from the start of the boot to ready (so far, while booting). */
  readonly totalMs: number;
  readonly plugins: readonly BootReportEntry[];
}

/** What is known of a plugin before it is registered; a state for one that will not be. */
type KnownFacts = Partial<Pick<BootReportEntry, 'importMs' | 'broughtBy' | 'state' | 'reason' | 'code'>>;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Collects the boot report. */
export class BootRecorder {
  readonly #entries: Mutable<BootReportEntry>[] = [];
  readonly #started: number;
  #finished: number | undefined;

  constructor(
    private readonly app: string,
    private readonly profile: string,
    private readonly monotonic: () => number,
  ) {
    this.#started = monotonic();
  }

  /** Adds the entry of a plugin; entries keep the order in which they are added. */
  open(id: string, category: BootReportEntry['category'], facts: KnownFacts): void {
    const times = { importMs: 0, registerMs: 0, startMs: 0 };
    this.#entries.push({ id, category, broughtBy: '', tools: [], state: 'registered', reason: '', ...times, ...facts });
  }

  /** Records a tool with the plugin that contributed it. */
  tool(id: string, name: string): void {
    const entry = this.#entry(id);
    entry.tools = [...entry.tools, name];
  }

  /** Sets a plugin's state. */
  mark(id: string, state: PluginState, reason = '', code?: string): void {
    Object.assign(this.#entry(id), { state, reason, ...(code !== undefined && { code }) });
  }

  /** Runs a phase and adds its time to the plugin's entry. */
  async timed<Result>(id: string, phase: 'registerMs' | 'startMs', run: () => Result): Promise<Awaited<Result>> {
    const from = this.monotonic();
    try {
      return await run();
    } finally {
      this.#entry(id)[phase] += this.monotonic() - from;
    }
  }

  /** Records the end of the boot. */
  finish(): void {
    this.#finished = this.monotonic();
  }

  report(): BootReport {
    return {
      app: this.app,
      profile: this.profile,
      totalMs: (this.#finished ?? this.monotonic()) - this.#started,
      plugins: this.#entries.map((entry) => ({ ...entry })),
    };
  }

  #entry(id: string): Mutable<BootReportEntry> {
    const entry = this.#entries.find((each) => each.id === id);
    if (!entry) throw new RangeError(`No boot report entry for ${id}.`);
    return entry;
  }
}
