import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compilerAbove } from '../../../kernel/compiler/index.js';
import { isFwError } from '../../../kernel/index.js';
import { frameworkFolder } from '../../../kernel/plugin/index.js';
import { ModelInfo } from '../core/index.js';
import type { PulledModel } from '../db-pull/index.js';
import { PULLED_OPTIONS } from './compiler-options.js';

const CONFIG =
  "import { defineApp } from 'fw';\n\nexport default defineApp({ name: 'checked', models: ['app/models/*.ts'], plugins: [] });\n";

/** A project of nothing but pulled models, in a folder of its own for temporary files. */
export class ScratchProject {
  /** Why types cannot be checked here; undefined where they can. */
  uncheckable: string | undefined;

  private constructor(readonly folder: string) {}

  /**
   * @param root - project whose TypeScript is taken; without one there, the framework's
   */
  static async create(root: string, models: readonly PulledModel[]): Promise<ScratchProject> {
    const project = new ScratchProject(await mkdtemp(path.join(tmpdir(), 'fw-db-check-')));
    try {
      await project.#fill(root, models);
    } catch (error) {
      await project.remove();
      throw error;
    }
    return project;
  }

  async #fill(root: string, models: readonly PulledModel[]): Promise<void> {
    const write = (file: string, text: string) => writeFile(path.join(this.folder, file), text);
    await mkdir(path.join(this.folder, 'app/models'), { recursive: true });
    await mkdir(path.join(this.folder, 'node_modules'));
    await write('package.json', '{ "name": "checked", "private": true, "type": "module" }\n');
    await write('app.config.ts', CONFIG);
    await write('tsconfig.json', JSON.stringify({ compilerOptions: PULLED_OPTIONS }));
    for (const { file, content } of models) await write(path.join('app/models', file), content);
    const own = frameworkFolder();
    await this.#link('fw', own);
    const typescript = compilerAbove(root) ?? compilerAbove(own);
    if (typescript !== undefined) await this.#link('typescript', typescript.folder);
    // A checkout has them once it was packed.
    if (!existsSync(path.join(own, 'dist/types'))) this.uncheckable = 'the framework is there without its declarations';
    else if (typescript === undefined) this.uncheckable = 'typescript is not installed';
  }

  // A junction needs no right of its own on Windows.
  #link(name: string, target: string): Promise<void> {
    return symlink(target, path.join(this.folder, 'node_modules', name), 'junction');
  }

  /** Generates the models' code. @returns what is wrong with the models */
  async generate(): Promise<readonly string[]> {
    // It brings the compiler's interface.
    const { runCodegen } = await import('../../../codegen/engine/index.js');
    const { problems } = await runCodegen({ root: this.folder });
    return problems.map(({ file, line, message }) => `${path.relative(this.folder, file)}:${line} ${message}`);
  }

  /**
   * Compiles.
   * @param check - whether types are checked before
   * @returns type errors, a line each
   */
  async build(check: boolean): Promise<readonly string[]> {
    const { buildApp } = await import('../../../kernel/build/index.js');
    try {
      await buildApp({ root: this.folder, check });
      return [];
    } catch (error) {
      if (!isFwError(error) || error.code !== 'FW_BUILD_TYPES') throw error;
      await buildApp({ root: this.folder, check: false });
      return String(error.details['problems']).split('\n');
    }
  }

  /** The models as the generated code makes them known, by their tables. */
  async models(): Promise<readonly ModelInfo[]> {
    const folder = path.join(this.folder, 'dist/generated');
    const files = (await readdir(folder)).filter((file) => file.endsWith('.js')).sort();
    const found = new Map<string, ModelInfo>();
    for (const file of files) {
      const exported = (await import(pathToFileURL(path.join(folder, file)).href)) as Readonly<Record<string, unknown>>;
      for (const value of Object.values(exported)) if (value instanceof ModelInfo) found.set(value.table, value);
    }
    return [...found.values()];
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
