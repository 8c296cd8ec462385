import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildContext } from 'esbuild';
import { digestOf, FileDigests } from '../fs/index.js';
import {
  addedOutputs,
  inOwnErrors,
  linking,
  outputsOf,
  ownSettings,
  reachedBy,
  type Reached,
  type Settings,
} from './build-app.js';
import { startFiles } from '../config/index.js';
import { type LoadedAhead, loadedAhead } from './loaded-ahead.js';
import { type Output, type Outputs, writeOutputs } from './write-outputs.js';

/** What one build did. */
export interface RepeatedBuildResult {
  /** Every file that is built, relative to the project. */
  readonly files: readonly string[];
  /** How many of them changed and were compiled. */
  readonly compiled: number;
  /** What a process can load before the application. */
  readonly ahead: LoadedAhead;
}

/** Digests of a source when it was compiled, with its output. */
interface KnownSource {
  readonly digest: string;
  readonly outputs: Outputs;
}

/**
 * Builds an application into `dist/` like `buildApp`, repeatedly. A file is compiled only when it or its compiler settings have changed;
 * imports are resolved every time. Types are not checked.
 */
export class RepeatedBuild {
  readonly #known = new Map<string, KnownSource>();
  readonly #texts = new FileDigests();
  #linking: { readonly key: string; readonly context: BuildContext } | undefined;

  constructor(private readonly root: string) {}

  /**
   * @param generated - folder of the generated code
   * @throws FwError like `buildApp`; `dist/` is as it was then
   */
  async build(generated: string): Promise<RepeatedBuildResult> {
    const { root } = this;
    const found = await startFiles(root);
    const settings = await ownSettings(root, found);
    const linking = this.#reached(found, settings);
    // The digests are read while the compiler, a process of its own, resolves imports.
    const known = new Map(found.map((file) => [file, this.#textOf(file)]));
    const reached = await linking;
    const files = [...new Set([...found, ...reached.linked])].sort();
    const compile = [settings.tsconfig ?? 'tsconfig.json', ...(await this.#settingsDigest(settings))].join();
    const digests = new Map(
      files.map((file) => [file, digestIn(file, compile, reached, known.get(file) ?? this.#textOf(file))] as const),
    );
    const changed = files.filter((file) => !this.#stands(file, digests.get(file) as string));
    const compiled = changed.length === 0 ? [] : await outputsOf(root, changed, { settings, aliases: reached.aliases });
    const outputs: readonly Output[] = [...compiled, ...(await addedOutputs(root))];
    const kept = Object.assign(
      {},
      ...files.filter((file) => !changed.includes(file)).map((file) => this.#known.get(file)?.outputs),
    ) as Outputs;
    const isGone = [...this.#known.keys()].some((file) => !digests.has(file));
    if (outputs.length > 0 || isGone) await writeOutputs(root, outputs, { isAll: true, kept });
    this.#remember(changed, digests, compiled);
    for (const file of this.#known.keys()) if (!digests.has(file)) this.#known.delete(file);
    const ahead = loadedAhead(reached.inputs, generated, (file) => digests.get(file));
    return { files, compiled: changed.length, ahead };
  }

  /** Ends the compiler. */
  async close(): Promise<void> {
    await this.#linking?.context.dispose();
    this.#linking = undefined;
  }

  async #reached(files: readonly string[], settings: Settings): Promise<Reached> {
    const key = JSON.stringify([files, settings]);
    if (this.#linking?.key !== key) {
      await this.close();
      const { context } = await import('esbuild');
      this.#linking = { key, context: await context(linking(this.root, files, settings)) };
    }
    const { context } = this.#linking;
    return reachedBy(await inOwnErrors(() => context.rebuild()));
  }

  // esbuild reads the tsconfig.json by itself, with all that it extends. Only the file itself is digested: the extended ones rarely change.
  async #settingsDigest({ tsconfig = 'tsconfig.json' }: Settings): Promise<readonly string[]> {
    const file = path.resolve(this.root, tsconfig);
    return existsSync(file) ? [digestOf(await readFile(file))] : [];
  }

  #textOf(file: string): string {
    // A file that is gone since has no text; the compiler says so.
    return this.#texts.of(path.join(this.root, file)) ?? '';
  }

  #stands(file: string, digest: string): boolean {
    const known = this.#known.get(file);
    return (
      known?.digest === digest &&
      Object.keys(known.outputs).every((output) => existsSync(path.join(this.root, 'dist', output)))
    );
  }

  #remember(files: readonly string[], digests: ReadonlyMap<string, string>, outputs: readonly Output[]): void {
    const bySource = new Map<string, Record<string, string>>();
    for (const { path: file, contents } of outputs) {
      const output = path.relative(path.join(this.root, 'dist'), file).split(path.sep).join('/');
      const stem = output.replace(/\.[cm]?js(\.map)?$/, '');
      const own = bySource.get(stem) ?? {};
      bySource.set(stem, Object.assign(own, { [output]: digestOf(contents) }));
    }
    for (const file of files) {
      const outputsOfFile = bySource.get(file.replace(/\.[cm]?tsx?$/, '')) ?? {};
      this.#known.set(file, { digest: digests.get(file) as string, outputs: outputsOfFile });
    }
  }
}

function digestIn(file: string, compile: string, { aliases }: Reached, text: string): string {
  return `${compile} ${JSON.stringify([...(aliases.get(file) ?? [])])} ${text}`;
}
