import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CacheFile, isSystemError } from '../../kernel/fs/index.js';
import { matching } from './globs.js';
import { filesIn } from './output-plan.js';

/** Inputs and outputs of the last run. All paths are absolute. */
interface RunRecord {
  /** Which build of the generators ran. */
  readonly code: string;
  readonly config: string;
  readonly outDir: string;
  readonly models: readonly string[];
  readonly routes: readonly string[];
  readonly modelFiles: readonly string[];
  readonly routeFiles: readonly string[];
  readonly inputs: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** Facts about a finished run for the next one. */
interface FinishedRun {
  readonly config: { readonly models: readonly string[]; readonly routes: readonly string[]; readonly outDir: string };
  readonly inputs: readonly string[];
  readonly missing: readonly string[];
  readonly notes: readonly string[];
}

/** Result of a run that is known without parsing, because nothing changed since the last one. */
interface UnchangedRun {
  readonly outDir: string;
  readonly outputs: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Keeps digests of the files that the last run read and wrote, in `node_modules/.cache/fw/`, so that a run that would change nothing does
 * not load the parser. Every input and output is read and compared: times are not trusted. A project without `node_modules` has no cache.
 */
export class RunCache {
  readonly #file: CacheFile;

  /**
   * @param config - absolute path of `app.config.ts`
   * @param code - which build of the generators runs; undefined turns the cache off
   */
  constructor(
    readonly root: string,
    readonly config: string,
    readonly code: string | undefined,
  ) {
    this.#file = new CacheFile(root, 'codegen.json');
  }

  /** The last run, when a new one would read and write the same. */
  async unchanged(): Promise<UnchangedRun | undefined> {
    const record = this.#read();
    if (record === undefined || record.code !== this.code || record.config !== this.config) return undefined;
    const { outDir, inputs, outputs, missing } = record;
    if (!matches(inputs) || !matches(outputs) || missing.some((file) => existsSync(file))) return undefined;
    if (!same(filesIn(outDir), Object.keys(outputs))) return undefined;
    const models = await matching(record.models, this.root, outDir);
    const routes = await matching(record.routes, this.root, outDir);
    if (!same(models, record.modelFiles) || !same(routes, record.routeFiles)) return undefined;
    return { outDir, outputs: Object.keys(outputs), notes: record.notes };
  }

  /**
   * Records a run after its files were written. The record only saves time: if it cannot be written, or a source was deleted meanwhile, the
   * next run reads everything again.
   */
  async remember(run: FinishedRun): Promise<void> {
    if (this.code === undefined) return;
    try {
      await this.#write(this.code, run);
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }

  async #write(code: string, { config, inputs, missing, notes }: FinishedRun): Promise<void> {
    const { models, routes, outDir } = config;
    const record: RunRecord = {
      code,
      config: this.config,
      outDir,
      models,
      routes,
      modelFiles: await matching(models, this.root, outDir),
      routeFiles: await matching(routes, this.root, outDir),
      inputs: digests(inputs),
      missing,
      outputs: digests(filesIn(outDir)),
      notes,
    };
    this.#file.write(JSON.stringify(record));
  }

  #read(): RunRecord | undefined {
    const text = this.code === undefined ? undefined : this.#file.read();
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as RunRecord;
    } catch {
      // An incomplete entry, or one of another version, is ignored and rewritten.
      return undefined;
    }
  }
}

function matches(digestOf: Readonly<Record<string, string>>): boolean {
  return Object.entries(digestOf).every(([file, digest]) => existsSync(file) && digestOfFile(file) === digest);
}

function digests(files: readonly string[]): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file, digestOfFile(file)]));
}

function digestOfFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function same(found: readonly string[], known: readonly string[]): boolean {
  return found.length === known.length && [...found].sort().join('\n') === [...known].sort().join('\n');
}

/**
 * Which build of the framework runs, from the names of its chunks, which carry digests of their contents. Undefined when
 * the framework runs from its TypeScript sources, where any edit may change what is generated.
 */
export function codeFingerprint(): string | undefined {
  const file = fileURLToPath(import.meta.url);
  if (file.endsWith('.ts')) return undefined;
  const hash = createHash('sha256').update(readFileSync(file));
  for (const name of readdirSync(path.dirname(file)).sort()) hash.update(name);
  return hash.digest('hex');
}
