import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../kernel/contracts/index.js';
import { fwError } from '../../kernel/errors/index.js';
import { againOnConflict } from '../../kernel/fs/index.js';
import { CODEGEN_ERRORS } from './errors.js';
import type { Generator, Step } from './generator.js';
import { folderOf, portable } from './globs.js';
import type { CodegenResult } from './result.js';
import { codeFingerprint, RunCache } from './run-cache.js';
import type { CodegenSession, Pass } from './session.js';
import type { WatchedInputs } from './watch-inputs.js';
import { writeChanges } from './write-changes.js';
import { isInside } from '../../kernel/values/index.js';

/** How to run code generation. */
export interface CodegenOptions {
  /** Project folder. */
  readonly root: string;
  /** Configuration, relative to the folder; default `app.config.ts`. */
  readonly config?: string;
  /** Writes nothing; the result names each file that is stale, missing or orphaned. */
  readonly check?: boolean;
  /** Goes on until `signal` is aborted, and runs again whenever an input changes. */
  readonly watch?: boolean;
  /** Ends a watch; a single run is too short to be ended. */
  readonly signal?: AbortSignal;
  readonly log?: Logger;
  /** Told what goes on, by work that keeps the event loop busy. */
  readonly onStep?: Step;
  /** Of a watch: gets the first result, and each that differs from the one before. */
  readonly onResult?: (result: CodegenResult) => void;
  /** Default: the framework's own. */
  readonly generators?: readonly Generator[];
  /** Which build of the generators runs; default that of this package. Undefined makes every run read the sources. */
  readonly code?: string | undefined;
}

/** Milliseconds in which several changes count as one. */
const DEBOUNCE_MS = 25;

/**
 * Generates `generated/` of a project.
 *
 * @returns what was done; of a watch, the last result
 * @throws FwError `FW_CODEGEN_NO_CONFIG`; mistakes in the sources are in the result
 */
export async function runCodegen(options: CodegenOptions): Promise<CodegenResult> {
  const root = path.resolve(options.root);
  const config = path.resolve(root, options.config ?? 'app.config.ts');
  if (!existsSync(config)) throw fwError(CODEGEN_ERRORS.FW_CODEGEN_NO_CONFIG, { path: config });
  const runner = new Runner(path.dirname(config), config, options);
  return options.watch ? runner.watch() : runner.once();
}

/** Code generation that runs repeatedly: each further run reads only changed files. */
export interface RepeatedCodegen {
  /** Generates. The first run does nothing if nothing has changed since the last process. */
  run(): Promise<CodegenResult>;
  /** Whether a run may give another result than the last, now that this file (absolute) has changed. */
  concerns(file: string): boolean;
  /** Reads in advance what the next run needs, and writes nothing. */
  warm(): Promise<void>;
  /** Keeps for the next process what the last run read and wrote. No run waits for that, because only the next start needs it. */
  remember(): Promise<void>;
}

/** @throws FwError `FW_CODEGEN_NO_CONFIG`, when it runs; mistakes in the sources are in the results */
export function repeatedCodegen(root: string): RepeatedCodegen {
  const config = path.join(root, 'app.config.ts');
  const runner = new Runner(root, config, { root });
  return {
    async run() {
      if (!existsSync(config)) throw fwError(CODEGEN_ERRORS.FW_CODEGEN_NO_CONFIG, { path: config });
      return runner.again();
    },
    concerns: (file) => runner.concerns(file),
    warm: () => runner.warm(),
    remember: () => runner.remember(),
  };
}

class Runner {
  readonly #cache: RunCache;
  readonly #code: string | undefined;
  #session: CodegenSession | undefined;
  /** Of the last run that wrote, until it is remembered. */
  #written: Pass | undefined;
  /** What the last pass read, unless it found problems. */
  #read: WatchedInputs | undefined;

  constructor(
    readonly root: string,
    readonly config: string,
    readonly options: CodegenOptions,
  ) {
    this.#code = 'code' in options ? options.code : codeFingerprint();
    this.#cache = new RunCache(root, config, this.#code);
  }

  async once(): Promise<CodegenResult> {
    const result = await this.again();
    await this.remember();
    return result;
  }

  /** Like {@link once}, for a process that has further runs and calls {@link remember} behind the last. */
  async again(): Promise<CodegenResult> {
    const from = performance.now();
    const unchanged = this.options.check || this.#session ? undefined : await this.#cache.unchanged();
    if (unchanged) {
      const { outDir, outputs, notes } = unchanged;
      return this.#result(from, outDir, { unchanged: outputs, notes, skipped: true });
    }
    return againOnConflict(async () => this.#finish(from, await this.#pass()));
  }

  async warm(): Promise<void> {
    await this.#pass();
  }

  concerns(file: string): boolean {
    if (this.#read === undefined || path.dirname(file) === this.root) return true;
    return this.#read.files.includes(file) || this.#read.trees.some((tree) => isInside(file, tree));
  }

  async watch(): Promise<CodegenResult> {
    const { watchInputs } = await import('./watch-inputs.js');
    let last: CodegenResult | undefined;
    let inputs: WatchedInputs = { files: [this.config], trees: [] };
    const run = async (): Promise<CodegenResult> => {
      const from = performance.now();
      const result = await againOnConflict(async () => {
        const pass = await this.#pass();
        inputs = readBy(this.root, pass);
        return this.#finish(from, pass);
      });
      if (last === undefined || isNews(result, last)) this.options.onResult?.(result);
      return (last = result);
    };
    const { signal, log } = this.options;
    const result = await watchInputs({ run, inputs: () => inputs, debounceMs: DEBOUNCE_MS, signal, log });
    await this.remember();
    return result;
  }

  async #pass(): Promise<Pass> {
    const pass = await (await this.#opened()).pass();
    this.#read = pass.plan && readBy(this.root, pass);
    return pass;
  }

  async #finish(from: number, pass: Pass): Promise<CodegenResult> {
    const { plan, problems, notes, config } = pass;
    this.#written = undefined;
    if (!plan) return this.#result(from, config.outDir, { ok: false, problems, notes });
    const { changes, unchanged } = plan;
    if (this.options.check) {
      const stale = changes.map((change) => ({ path: portable(this.root, change.path), reason: change.reason }));
      return this.#result(from, config.outDir, { ok: stale.length === 0, stale, unchanged, notes });
    }
    const recovered = await writeChanges(changes, config.outDir, this.root);
    this.#written = pass;
    return this.#result(from, config.outDir, {
      written: changes.filter(({ text }) => text !== undefined).map((change) => change.path),
      removed: changes.filter(({ text }) => text === undefined).map((change) => change.path),
      unchanged,
      notes: [...recovered, ...notes],
    });
  }

  async remember(): Promise<void> {
    const pass = this.#written;
    if (pass === undefined) return;
    this.#written = undefined;
    this.#session?.remember();
    await this.#cache.remember(pass);
  }

  // Loads the parser lazily: loading it takes longer than all checks that do not need it.
  async #opened(): Promise<CodegenSession> {
    if (this.#session) return this.#session;
    const { CodegenSession } = await import('./session.js');
    const generators = await this.#generators();
    const { root, config } = this;
    const { onStep: step } = this.options;
    return (this.#session = new CodegenSession({ root, config, generators, code: this.#code, step }));
  }

  async #generators(): Promise<readonly Generator[]> {
    return this.options.generators ?? (await import('../generators.js')).builtInGenerators();
  }

  #result(from: number, outDir: string, facts: Partial<CodegenResult>): CodegenResult {
    const relative = (files: readonly string[] = []) => files.map((file) => portable(this.root, file));
    return {
      ok: true,
      root: this.root,
      outDir: portable(this.root, outDir),
      stale: [],
      problems: [],
      notes: [],
      skipped: false,
      ...facts,
      written: relative(facts.written),
      unchanged: relative(facts.unchanged),
      removed: relative(facts.removed),
      ms: performance.now() - from,
    };
  }
}

// Whether a result differs from the last in `generated/` or in its problems.
function isNews(result: CodegenResult, last: CodegenResult): boolean {
  const changed = result.written.length + result.removed.length + result.stale.length > 0;
  return changed || JSON.stringify(result.problems) !== JSON.stringify(last.problems);
}

const readBy = (root: string, { inputs, missing, config }: Pass): WatchedInputs => ({
  files: [...inputs, ...missing],
  trees: [...config.models, ...config.routes].map((glob) => path.resolve(root, folderOf(glob))),
});
