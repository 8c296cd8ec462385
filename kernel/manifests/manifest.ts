/**
 * Facts about a package that are known without running its code: `fw` in its package.json. Rooms of the framework have the same fields in
 * their `fw.json`.
 */
export interface Manifest {
  /** Commands of `fw` that it brings. */
  readonly commands?: readonly CommandManifest[];
  /** Checks of `fw doctor` that it brings. */
  readonly checks?: readonly CheckManifest[];
  /** Names of the tools of the control plane that its plugin contributes. */
  readonly tools?: readonly string[];
  /** File with the descriptions of the model classes that a package ships; read by code generation. */
  readonly models?: string;
  /** Dialects of the ORM that it brings, a list of `DialectFacts` of plugins/orm/registry, which checks them. */
  readonly dialects?: unknown;
  /**
   * What its code loads by names that its imports do not show, for `fw build --bundle`: modules (`ajv`), files of its own
   * (`./templates/**`) and of other packages (`swagger-ui-dist/swagger-ui.css`), as globs.
   */
  readonly runtime?: readonly string[];
}

/** Further fields of the manifest of a room. */
export interface RoomManifest extends Manifest {
  /** Module that takes part in `fw build`; its default export is a `BuildPart`. */
  readonly build?: string;
  /** By kind of follow-up work of a write: module that does it; its default export takes the project folder. */
  readonly followUps?: Readonly<Record<string, string>>;
  /** Modules that are loaded by their path (programs, threads), so that the framework's build bundles them. */
  readonly entries?: readonly string[];
  /** Plain JavaScript module whose default export makes bundles for browsers during the framework's build: `() => [{ file, contents }]`. */
  readonly bundle?: string;
  /** Packages that the framework's build leaves in node_modules: they are native, optional, or read as files. */
  readonly external?: readonly string[];
  /** By file of dist/: module that makes its text during the framework's build; see kernel/build/build-framework.mjs. */
  readonly prepared?: Readonly<Record<string, string>>;
}

/** One check of `fw doctor`. */
export interface CheckManifest {
  /** One word such as `queue`, for `--only` and for messages. */
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
  /** Module whose default export runs it, relative to the manifest; a command without one only groups others. */
  readonly module?: string;
  /** Another name. */
  readonly alias?: string;
  readonly arguments?: readonly ArgumentManifest[];
  readonly options?: readonly OptionManifest[];
  /** Lines below the list of options in its help. */
  readonly help?: readonly string[];
  /** Whether it parses its flags itself, `--help` included, because they depend on another argument. */
  readonly ownFlags?: boolean;
  /** Module whose default export completes the arguments of the command, where the manifest cannot. */
  readonly completes?: string;
  /**
   * Whether it writes files of the project through a `ChangeSet`, or the first arguments with which it does. Interrupted writes are
   * repaired before it runs. With `--check` or `--dry-run` a command writes nothing.
   */
  readonly writes?: boolean | readonly string[];
  /** Whether it makes a new project instead of writing into the surrounding one. */
  readonly makesProject?: boolean;
  /** Whether a bundled application has the command. */
  readonly production?: boolean;
  /** Left out of help and completion. */
  readonly hidden?: boolean;
}

/** An argument of a command. */
interface ArgumentManifest {
  /** `<name>`, `[name]` when it may be left out, `[names...]` for the rest. */
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  /** All allowed values; with `ownFlags` only completion uses them, and the command itself refuses others. */
  readonly choices?: readonly string[];
}

/** An option of a command. */
interface OptionManifest {
  /** `--json`, `--out <file>`, `--include <globs...>`, `-o, --out <file>`, `--no-check`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string;
  readonly choices?: readonly string[];
}

/** The manifest of a package or room, and how to load its modules. */
export interface Contributor<Found extends Manifest = Manifest> {
  /** Name of the package, or of the room: `plugins/orm`. */
  readonly owner: string;
  /** The file that the manifest stands in. */
  readonly file: string;
  /** Path of the manifest within that file, for messages: `fw.` in a package.json. */
  readonly prefix: string;
  readonly manifest: Found;
  /** Specifier for `import()` of a module of the manifest. */
  locate(module: string): string;
}
