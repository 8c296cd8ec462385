import type { Project, SourceFile } from 'ts-morph';

/** What a generator reads. No type is resolved and no file beyond these is loaded unless it is asked for. */
export interface GeneratorInput {
  /**
   * The parsed project. In watch mode it lives on: a file that did not change keeps its `sourceFile.compilerNode`, which
   * therefore is a sound key for what was worked out before.
   */
  readonly project: Project;
  /** Absolute path of the folder that `app.config.ts` stands in. */
  readonly root: string;
  /** Absolute path of `generated/`. */
  readonly outDir: string;
  /** Absolute paths of the files that match the `models` globs, sorted. They are parsed when somebody asks the project for them. */
  readonly models: readonly string[];
  /** Files that match the `routes` globs, sorted by path. */
  readonly routes: readonly SourceFile[];
  /** `app.config.ts`; undefined when the folder has none. */
  readonly config: SourceFile | undefined;
  /** Takes something worth knowing that is no mistake. */
  readonly note?: (text: string) => void;
}

/** One file that a generator wants in `generated/`. The engine puts the banner on top and decides whether to write. */
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
