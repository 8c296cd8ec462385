import type { Project, SourceFile } from 'ts-morph';

/** Reports the current step. */
export type Step = (doing: string, isLong?: boolean) => void;

/** Input of a generator. Types are resolved, and other files loaded, only when a generator asks for them. */
export interface GeneratorInput {
  /**
   * The parsed project. In watch mode it is kept: an unchanged file keeps its `sourceFile.compilerNode`, so results can be cached by it.
   */
  readonly project: Project;
  /** Absolute path of the folder that `app.config.ts` stands in. */
  readonly root: string;
  /** Absolute path of `generated/`. */
  readonly outDir: string;
  /** Absolute paths of the files that match the `models` globs, sorted. They are parsed on demand. */
  readonly models: readonly string[];
  /** Files that match the `routes` globs, sorted by path. */
  readonly routes: readonly SourceFile[];
  /** `app.config.ts`; undefined when the folder has none. */
  readonly config: SourceFile | undefined;
  /** Reports a note that is no mistake. */
  readonly note?: (text: string) => void;
  /** Told what goes on, for each file anew; `isLong` where it is known to take more than a moment. */
  readonly step?: Step | undefined;
}

/** One file that a generator wants in `generated/`. The engine adds the banner and decides whether to write the file. */
export interface GeneratedFile {
  /** Relative to `outDir`, with forward slashes. */
  readonly path: string;
  /** Text without banner. `.ts` files get it as a comment, JSON objects as their member `$generated`, JSON arrays none. */
  readonly content: string;
  /** Absolute paths of the files whose text decides the content. */
  readonly sources: readonly string[];
}

/**
 * Turns declarations into files of `generated/`. The same input must give the same output, byte for byte.
 *
 * Every generated `.ts` module is imported by `generated/index.ts`, which an application loads before any plugin: a module
 * that registers something does so when it is imported. A mistake in the sources is thrown with `sourceProblems`, all of
 * them at once; the engine then writes nothing.
 */
export interface Generator {
  /** Shown in banners and messages, e.g. `orm`. */
  readonly name: string;
  generate(input: GeneratorInput): readonly GeneratedFile[];
}
