import path from 'node:path';
import type { Project, SourceFile, ts } from 'ts-morph';

/** A file that a generator wrote in this run, and is not on the disk yet or no longer as it was. */
export interface FreshFile {
  readonly content: string;
  /** Absolute paths of the files whose text decides the content. */
  readonly sources: readonly string[];
}

const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, ['.ts', '.tsx', '.js']],
  [/\.mjs$/, ['.mts', '.mjs']],
  [/\.[cm]?tsx?$/, ['']],
  [/$/, ['.ts', '/index.ts']],
];

/**
 * Finds the file that a relative import means, and parses it when somebody wants to look inside. Kept per project, so that
 * a file is parsed once.
 */
export class ModuleResolver {
  /** Paths that were looked for and are not there: when one appears, what was generated may change. */
  readonly missing = new Set<string>();
  readonly #fresh = new Map<string, FreshFile>();
  #outDir: string | undefined;

  constructor(readonly project: Project) {}

  /** Lets imports see what a generator produced in this run instead of what is on the disk. */
  addFresh(file: string, fresh: FreshFile): void {
    this.#fresh.set(file, fresh);
  }

  /**
   * Forgets what belongs to one run.
   * @param outDir - absolute path of `generated/`, of which only what this run has made so far can be imported
   */
  beginRun(outDir: string): void {
    this.#outDir = outDir + path.sep;
    this.missing.clear();
    this.#fresh.clear();
  }

  /** Files whose text decides a file's text: itself, unless it is generated. */
  sourcesOf(file: string): readonly string[] {
    return this.#fresh.get(file)?.sources ?? [file];
  }

  /** The parsed file behind a relative specifier, or undefined. */
  resolve(from: string, specifier: string): ts.SourceFile | undefined {
    if (!specifier.startsWith('.')) return undefined;
    const target = path.resolve(path.dirname(from), specifier);
    for (const candidate of candidatesOf(target)) {
      const found = this.#load(candidate);
      if (found) return found.compilerNode;
    }
    return undefined;
  }

  #load(file: string): SourceFile | undefined {
    const fresh = this.#fresh.get(file);
    if (fresh) return this.#parseFresh(file, fresh.content);
    if (this.#outDir !== undefined && path.normalize(file).startsWith(this.#outDir)) return undefined;
    const known = this.project.getSourceFile(file);
    if (known) return known;
    if (this.project.getFileSystem().fileExistsSync(file)) return this.project.addSourceFileAtPath(file);
    this.missing.add(file);
    return undefined;
  }

  #parseFresh(file: string, content: string): SourceFile {
    const known = this.project.getSourceFile(file);
    if (known?.getFullText() === content) return known;
    return this.project.createSourceFile(file, content, { overwrite: true });
  }
}

function candidatesOf(target: string): string[] {
  const [ending, replacements] = ENDINGS.find(([pattern]) => pattern.test(target)) as (typeof ENDINGS)[number];
  return replacements.map((replacement) => (replacement === '' ? target : target.replace(ending, replacement)));
}

const resolvers = new WeakMap<Project, ModuleResolver>();

/** The one resolver of a project. */
export function moduleResolverOf(project: Project): ModuleResolver {
  const known = resolvers.get(project);
  if (known) return known;
  const made = new ModuleResolver(project);
  resolvers.set(project, made);
  return made;
}
