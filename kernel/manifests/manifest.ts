/**
 * What is known of a package without running its code: `fw` in its package.json. The rooms of the framework say the same in their
 * `fw.json`.
 */
export interface Manifest {
  /** Commands of `fw` that it brings. */
  readonly commands?: readonly CommandManifest[];
  /** Checks of `fw doctor` that it brings. */
  readonly checks?: readonly CheckManifest[];
  /** Names of the tools of the control plane that its plugin contributes. */
  readonly tools?: readonly string[];
  /** Where a package that ships model classes says what they are; read by code generation. */
  readonly models?: string;
  /** Dialects of the ORM that it brings, a list of `DialectFacts` of plugins/orm/registry, which checks them. */
  readonly dialects?: unknown;
  /**
   * What its code loads or reads by names that cannot be seen in it, for `fw build --bundle`: modules (`ajv`), files of its own
   * (`./templates/**`) and of other packages (`swagger-ui-dist/swagger-ui.css`), as globs.
   */
  readonly runtime?: readonly string[];
}

/** What a room of the framework says besides. */
export interface RoomManifest extends Manifest {
  /** Module that takes part in `fw build`; its default export is a `BuildPart`. */
  readonly build?: string;
  /** By kind of work that follows from a write: module that goes on with it; its default export takes the project folder. */
  readonly followUps?: Readonly<Record<string, string>>;
  /** Modules that are loaded by their path, which the framework's build bundles: programs, threads. */
  readonly entries?: readonly string[];
  /** Plain JavaScript whose default export bundles what browsers load, when the framework is built: `() => [{ file, contents }]`. */
  readonly bundle?: string;
  /** Packages that the framework's build leaves to node_modules: native, optional, or read from there as files. */
  readonly external?: readonly string[];
  /** By file of dist/: module that makes its text when the framework is built; see kernel/build/build-framework.mjs. */
  readonly prepared?: Readonly<Record<string, string>>;
}

/** One check of `fw doctor`. */
export interface CheckManifest {
  /** `queue`: a word, for `--only` and for what is said of it. */
  readonly name: string;
  /** What it looks at, in a few words. */
  readonly summary: string;
  /** Module whose default export does it, relative to the manifest. */
  readonly module: string;
}

/** One command. */
export interface CommandManifest {
  /** `greet`, or `greet all` below another command. */
  readonly name: string;
  /** One line for `fw --help`. */
  readonly summary: string;
  /** Module whose default export runs it, relative to the manifest; without one it only holds others. */
  readonly module?: string;
  /** Another name. */
  readonly alias?: string;
  readonly arguments?: readonly ArgumentManifest[];
  readonly options?: readonly OptionManifest[];
  /** Lines below the list of options in its help. */
  readonly help?: readonly string[];
  /** Whether it reads its flags itself, `--help` included, because they depend on another argument. */
  readonly ownFlags?: boolean;
  /**
   * Whether it writes files of the project through a `ChangeSet`; or the first arguments with which it does. What an earlier one was
   * interrupted in is put right before. With `--check` or `--dry-run` a command writes nothing.
   */
  readonly writes?: boolean | readonly string[];
  /** Whether what it writes is a project of its own, and not part of the one around it. */
  readonly makesProject?: boolean;
  /** Whether a bundled application has it; the others develop one. */
  readonly production?: boolean;
  /** Left out of help and completion. */
  readonly hidden?: boolean;
}

/** An argument of a command. */
export interface ArgumentManifest {
  /** `<name>`, `[name]` when it may be left out, `[names...]` for the rest. */
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  /** All that it may be; with `ownFlags` completion offers them, and the command itself refuses others. */
  readonly choices?: readonly string[];
}

/** An option of a command. */
export interface OptionManifest {
  /** `--json`, `--out <file>`, `--include <globs...>`, `-o, --out <file>`, `--no-check`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string;
  readonly choices?: readonly string[];
}

/** Somebody's manifest, with how to reach the modules that it names. */
export interface Contributor<Found extends Manifest = Manifest> {
  /** Name of the package, or of the room: `plugins/orm`. */
  readonly owner: string;
  /** The file that the manifest stands in. */
  readonly file: string;
  /** How the manifest is reached in that file, for messages: `fw.` in a package.json. */
  readonly prefix: string;
  readonly manifest: Found;
  /** What `import()` takes for a module of the manifest. */
  locate(module: string): string;
}
