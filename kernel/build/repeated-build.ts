import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BuildContext } from 'esbuild';
import { digestOf, FileDigests } from '../fs/index.js';
import {
  addedOutputs,
  type CompiledFiles,
  inOwnErrors,
  linking,
  outputsOf,
  printWarnings,
  ownSettings,
  reachedBy,
  type Reached,
  type Settings,
} from './build-app.js';
import { startFiles } from '../config/index.js';
import { type LoadedAhead, loadedAhead } from './loaded-ahead.js';
import type { ModuleShape } from './module-shape.js';
import { type Output, type Outputs, writeOutputs } from './write-outputs.js';

/** What one build did. */
interface RepeatedBuildResult {
  /** Every file that is built, relative to the project. */
  readonly files: readonly string[];
  /** How many of them changed and were compiled. */
  readonly compiled: number;
  /** Whether imports were resolved anew. */
  readonly isLinked: boolean;
  /** What a process can load before the application. */
  readonly ahead: LoadedAhead;
}

/** A source when it was compiled, with its output. */
interface KnownSource {
  readonly digest: string;
  readonly outputs: Outputs;
  readonly shape: ModuleShape | undefined;
}

/** How imports were resolved. */
interface Linked {
  /** Equal while resolving them again could only change by what the sources say. */
  readonly key: string;
  readonly reached: Reached;
}

const NOTHING: CompiledFiles = { outputs: [], shapes: new Map(), warnings: [] };

/** The files of a project, of which those that changed are compiled. */
interface Compiled extends CompiledFiles {
  readonly files: readonly string[];
  /** By file. */
  readonly digests: ReadonlyMap<string, string>;
  readonly changed: readonly string[];
}

/**
 * Builds an application into `dist/` like `buildApp`, repeatedly. A file is compiled only when it or its compiler settings have changed;
 * imports are resolved anew unless every changed file has the same imports and exports as before. Types are not checked.
 */
export class RepeatedBuild {
  readonly #known = new Map<string, KnownSource>();
  readonly #texts = new FileDigests();
  #linking: { readonly key: string; readonly context: BuildContext } | undefined;
  #linked: Linked | undefined;

  constructor(private readonly root: string) {}

  /**
   * @param generated - folder of the generated code
   * @throws FwError like `buildApp`; `dist/` is as it was then
   */
  async build(generated: string): Promise<RepeatedBuildResult> {
    const { root } = this;
    const found = await startFiles(root);
    const settings = await ownSettings(root, found);
    const before = new Map(found.map((file) => [file, this.#textOf(file)]));
    const alike = await this.#compiledAlike(found, settings);
    const reached = alike && this.#linked ? this.#linked.reached : await this.#link(found, settings);
    const compiled = alike ?? (await this.#compiled(found, settings, reached));
    const { files, digests, changed } = compiled;
    await printWarnings(compiled);
    const outputs: readonly Output[] = [...compiled.outputs, ...(await addedOutputs(root))];
    const kept = Object.assign(
      {},
      ...files.filter((file) => !changed.includes(file)).map((file) => this.#known.get(file)?.outputs),
    ) as Outputs;
    const isGone = [...this.#known.keys()].some((file) => !digests.has(file));
    if (outputs.length > 0 || isGone) await writeOutputs(root, outputs, { isAll: true, kept });
    this.#remember(compiled, before);
    for (const file of this.#known.keys()) if (!digests.has(file)) this.#known.delete(file);
    const ahead = loadedAhead(reached.inputs, generated, (file) => digests.get(file));
    return { files, compiled: changed.length, isLinked: alike === undefined, ahead };
  }

  /** Ends the compiler. */
  async close(): Promise<void> {
    await this.#linking?.context.dispose();
    this.#linking = undefined;
  }

  // Undefined where imports have to be resolved anew, also to name all that is wrong.
  async #compiledAlike(found: readonly string[], settings: Settings): Promise<Compiled | undefined> {
    const { key, reached } = this.#linked ?? {};
    if (reached === undefined || key !== this.#linkKey(found, settings, reached)) return undefined;
    const compiled = await this.#compiled(found, settings, reached).catch(() => undefined);
    const isAlike = compiled?.changed.every((file) => {
      const shape = compiled.shapes.get(file);
      return shape !== undefined && shape === this.#known.get(file)?.shape;
    });
    return isAlike ? compiled : undefined;
  }

  async #compiled(found: readonly string[], settings: Settings, reached: Reached): Promise<Compiled> {
    const files = [...new Set([...found, ...reached.linked])].sort();
    const compile = [settingsFile(settings), this.#textOf(settingsFile(settings))].join();
    const digests = new Map(files.map((file) => [file, digestIn(file, compile, reached, this.#textOf(file))] as const));
    const changed = files.filter((file) => !this.#stands(file, digests.get(file) as string));
    const { aliases } = reached;
    const compiled = changed.length > 0 ? await outputsOf(this.root, changed, { settings, aliases }) : NOTHING;
    return { files, digests, changed, ...compiled };
  }

  async #link(files: readonly string[], settings: Settings): Promise<Reached> {
    this.#linked = undefined;
    const key = JSON.stringify([files, settings]);
    if (this.#linking?.key !== key) {
      await this.close();
      const { context } = await import('esbuild');
      this.#linking = { key, context: await context(linking(this.root, files, settings)) };
    }
    const { context } = this.#linking;
    const reached = reachedBy(await inOwnErrors(() => context.rebuild()));
    this.#linked = { key: this.#linkKey(files, settings, reached), reached };
    return reached;
  }

  #linkKey(found: readonly string[], settings: Settings, { linked, inputs }: Reached): string {
    const sources = new Set(linked);
    const others = Object.keys(inputs).filter((file) => !sources.has(file));
    const isThere = linked.filter((file) => !found.includes(file) && existsSync(path.join(this.root, file)));
    const texts = ['package.json', settingsFile(settings), ...others].map((file) => this.#textOf(file));
    return JSON.stringify([found, settings, isThere, texts]);
  }

  #textOf(file: string): string {
    // A file that is gone since has no text; the compiler says so.
    return this.#texts.of(path.resolve(this.root, file)) ?? '';
  }

  #stands(file: string, digest: string): boolean {
    const known = this.#known.get(file);
    return (
      known?.digest === digest &&
      Object.keys(known.outputs).every((output) => existsSync(path.join(this.root, 'dist', output)))
    );
  }

  #remember({ changed, digests, outputs, shapes }: Compiled, before: ReadonlyMap<string, string>): void {
    const bySource = new Map<string, Record<string, string>>();
    for (const { path: file, contents } of outputs) {
      const output = path.relative(path.join(this.root, 'dist'), file).split(path.sep).join('/');
      const stem = output.replace(/\.[cm]?js(\.map)?$/, '');
      const own = bySource.get(stem) ?? {};
      bySource.set(stem, Object.assign(own, { [output]: digestOf(contents) }));
    }
    for (const file of changed) {
      const outputsOfFile = bySource.get(file.replace(/\.[cm]?tsx?$/, '')) ?? {};
      // One that was saved meanwhile may have been compiled as it is now, and linked as it was.
      const shape = before.get(file) === this.#textOf(file) ? shapes.get(file) : undefined;
      this.#known.set(file, { digest: digests.get(file) as string, outputs: outputsOfFile, shape });
    }
  }
}

// esbuild reads it by itself, with all that it extends. Only the file itself is digested: the extended ones rarely change.
const settingsFile = ({ tsconfig = 'tsconfig.json' }: Settings): string => tsconfig;

function digestIn(file: string, compile: string, { aliases }: Reached, text: string): string {
  return `${compile} ${JSON.stringify([...(aliases.get(file) ?? [])])} ${text}`;
}
