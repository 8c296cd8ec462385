import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Project, type SourceFile, ts } from 'ts-morph';
import { modelStoreOf } from '../orm/model-store.js';
import { moduleResolverOf, readCompilerSettings } from '../program/index.js';
import type { Generator, GeneratorInput, Step } from './generator.js';
import { matching } from './globs.js';
import { indexModule } from './index-module.js';
import { ModelCache } from './model-cache.js';
import { type Output, type OutputPlan, planOutput } from './output-plan.js';
import { type ProjectConfig, readProjectConfig } from './project-config.js';
import { problemsOf, type SourceProblem } from './source-problem.js';
import { isInside } from '../../kernel/values/index.js';

/** Options of a session. */
interface SessionOptions {
  readonly root: string;
  /** Absolute path of `app.config.ts`. */
  readonly config: string;
  readonly generators: readonly Generator[];
  /** Which build of the generators runs; without it nothing is kept for another process. */
  readonly code?: string | undefined;
  readonly step?: Step | undefined;
}

/** What one pass over the sources found. */
export interface Pass {
  readonly config: ProjectConfig;
  /** Undefined when there are problems. */
  readonly plan: OutputPlan | undefined;
  readonly problems: readonly SourceProblem[];
  readonly notes: readonly string[];
  /** Absolute paths of all files that were read; generated ones left out. */
  readonly inputs: readonly string[];
  /** Absolute paths that were looked for and do not exist. */
  readonly missing: readonly string[];
}

/** A parsed project that can be updated: a second pass parses only changed files. */
export class CodegenSession {
  readonly #project = new Project({
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, experimentalDecorators: true },
  });
  #outDir: string | undefined;
  #selection: string | undefined;

  #isRestored = false;
  readonly #modelCache: ModelCache;

  constructor(readonly options: SessionOptions) {
    this.#modelCache = new ModelCache(options.root, options.code);
  }

  /** Reads the current sources and plans the changes to `generated/`. Writes nothing. */
  async pass(): Promise<Pass> {
    this.#refresh();
    const { root, config: configFile } = this.options;
    this.#project.addSourceFileAtPath(configFile);
    const modules = moduleResolverOf(this.#project);
    modules.beginRun(this.#outDir ?? path.join(root, 'generated'));
    const config = readProjectConfig(this.#project, configFile);
    this.#dropWhenSelectionChanged(config);
    const modelFiles = await matching(config.models, root, config.outDir);
    const settings = readCompilerSettings(root, this.#project.getModuleResolutionHost(), modelFiles[0]);
    modules.beginRun(config.outDir, settings);
    this.#restoreModels();
    const routes = await this.#load(config, config.routes);
    const notes = notesOf(config, modelFiles);
    const input: GeneratorInput = {
      project: this.#project,
      root,
      outDir: config.outDir,
      models: modelFiles,
      routes,
      config: this.#project.getSourceFile(configFile),
      note: (text) => notes.push(text),
      step: this.options.step,
    };
    const syntax = [...config.problems, ...this.#syntaxProblems()];
    const generated = syntax.length > 0 ? { outputs: [], problems: syntax } : this.#generate(input);
    // Also for files that were reached through imports: a syntax error there explains why types are unknown.
    const reached = this.#syntaxProblems();
    const { outputs, problems } = reached.length > syntax.length ? { outputs: [], problems: reached } : generated;
    return {
      config,
      problems: sorted(problems),
      plan: problems.length > 0 ? undefined : planOutput(outputs, { root, outDir: config.outDir }),
      notes,
      inputs: [...this.#inputFiles(modelFiles), ...settings.files, ...modules.affecting],
      missing: [...modules.missing].sort(),
    };
  }

  // When the globs change, files that were read before may no longer be inputs.
  #dropWhenSelectionChanged({ models, routes, outDir }: ProjectConfig): void {
    const selection = JSON.stringify([models, routes, outDir]);
    if (this.#selection !== undefined && this.#selection !== selection) {
      for (const file of this.#project.getSourceFiles()) this.#project.removeSourceFile(file);
      this.#project.addSourceFileAtPath(this.options.config);
    }
    this.#selection = selection;
    this.#outDir = outDir;
  }

  // Compares texts, because times and events are unreliable, and reading is quick.
  #refresh(): void {
    for (const file of this.#project.getSourceFiles()) {
      const name = file.getFilePath();
      if (this.#isGenerated(name)) continue;
      if (!existsSync(name)) this.#project.removeSourceFile(file);
      else if (readFileSync(name, 'utf8') !== file.getFullText()) file.refreshFromFileSystemSync();
    }
  }

  async #load({ outDir }: ProjectConfig, globs: readonly string[]): Promise<readonly SourceFile[]> {
    const files = await matching(globs, this.options.root, outDir);
    return files.map((file) => this.#project.getSourceFile(file) ?? this.#project.addSourceFileAtPath(file));
  }

  #syntaxProblems(): SourceProblem[] {
    return this.#inputs().flatMap(syntaxProblems);
  }

  #generate(input: GeneratorInput): { outputs: readonly Output[]; problems: readonly SourceProblem[] } {
    const outputs: Output[] = [];
    const problems: SourceProblem[] = [];
    const modules = moduleResolverOf(input.project);
    for (const generator of this.options.generators) {
      try {
        for (const file of generator.generate(input)) {
          outputs.push({ generator: generator.name, file });
          modules.addFresh(path.resolve(input.outDir, file.path), file);
        }
      } catch (error) {
        const found = problemsOf(error);
        if (!found) throw error;
        problems.push(...found);
      }
    }
    const index = indexModule(outputs.map(({ file }) => file));
    return { outputs: [...outputs, { generator: 'index', file: index }], problems };
  }

  /** Writes the cache for the next process. */
  remember(): void {
    this.#modelCache.write(modelStoreOf(this.#project).kept());
  }

  // Restores the cache once: afterwards the store is newer than the disk.
  #restoreModels(): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    const { settings } = moduleResolverOf(this.#project);
    const kept = this.#modelCache.read(settings);
    if (kept) modelStoreOf(this.#project).restore(kept);
  }

  // Cached models depend on files that this run has not parsed; those are inputs too.
  #inputFiles(models: readonly string[]): readonly string[] {
    const parsed = this.#inputs().map((file) => file.getFilePath() as string);
    return [...new Set([...parsed, ...models, ...modelStoreOf(this.#project).files()])].sort();
  }

  #inputs(): readonly SourceFile[] {
    return this.#project.getSourceFiles().filter((file) => !this.#isGenerated(file.getFilePath()));
  }

  #isGenerated(file: string): boolean {
    return this.#outDir !== undefined && isInside(file, this.#outDir);
  }
}

interface WithParseDiagnostics {
  readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
}

// The parser keeps its diagnostics on the file; asking a program for them would load the whole project. One slip makes
// many of them, of which the first is the place to look.
function syntaxProblems(file: SourceFile): SourceProblem[] {
  const { parseDiagnostics = [] } = file.compilerNode as WithParseDiagnostics;
  const [first, ...others] = parseDiagnostics;
  if (!first) return [];
  const { line, column } = file.getLineAndColumnAtPos(first.start);
  const message = ts.flattenDiagnosticMessageText(first.messageText, ' ');
  const more = others.length === 0 ? '' : ` (and ${others.length} more in this file, maybe because of it)`;
  return [{ file: file.getFilePath(), line, column, message: `is not TypeScript: ${message}${more}` }];
}

function notesOf(config: ProjectConfig, models: readonly string[]): string[] {
  if (config.models.length === 0 || models.length > 0) return [];
  return [`no source file matches models: ${config.models.join(', ')}`];
}

function sorted(problems: readonly SourceProblem[]): readonly SourceProblem[] {
  return [...problems].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}
