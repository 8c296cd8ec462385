import { type Project, ts } from 'ts-morph';
import { type CompilerSettings, defaultSettings } from './compiler-options.js';
import { FRAMEWORK_FILES, frameworkFile, isFramework } from './framework-declarations.js';
import { WorkspaceSources } from './workspace-sources.js';

/** A file that a generator made in this run, which is not on the disk yet or differs there. */
interface FreshFile {
  readonly content: string;
  /** Absolute paths of the files whose text decides the content. */
  readonly sources: readonly string[];
}

interface WithFailedLookups {
  readonly failedLookupLocations?: readonly string[];
  readonly affectingLocations?: readonly string[];
}

/**
 * Finds the file that an import means, as TypeScript finds it with the project's own settings: relative, by a path alias, by `#name`, or in
 * a package of the workspace, whose sources are preferred to their compiled output. Files are parsed on demand. Kept per project, so that a
 * file is parsed once.
 */
export class ModuleResolver {
  /** Paths that were looked for and do not exist: the output may change when one appears. */
  readonly missing = new Set<string>();
  /** Number of the run; results are cached for one run. */
  run = 0;
  /** package.json files that affected resolution. */
  readonly affecting = new Set<string>();
  readonly #fresh = new Map<string, FreshFile>();
  // Files of installed packages are kept apart from the project, which has only its own sources.
  readonly #installed = new Map<string, ts.SourceFile | undefined>();
  #hasPackages = true;
  #settings = defaultSettings();
  #outDir: string | undefined;
  #cache: ts.ModuleResolutionCache | undefined;
  #workspace: WorkspaceSources;
  #host: ts.ModuleResolutionHost;

  constructor(readonly project: Project) {
    this.#workspace = new WorkspaceSources(project.getModuleResolutionHost());
    this.#host = this.#makeHost();
  }

  get settings(): CompilerSettings {
    return this.#settings;
  }

  get host(): ts.ModuleResolutionHost {
    return this.#host;
  }

  /** Whether installed packages can be found; without them an unresolved name is no mistake of the source. */
  get hasPackages(): boolean {
    return this.#hasPackages;
  }

  /** Declares that only some files of a project are available, and none of its packages. */
  withoutPackages(): void {
    this.#hasPackages = false;
  }

  /** Lets imports see what a generator produced in this run instead of what is on the disk. */
  addFresh(file: string, fresh: FreshFile): void {
    this.#fresh.set(file, fresh);
  }

  /**
   * Forgets what belongs to one run.
   * @param outDir - absolute path of `generated/`, from which only files of this run can be imported
   */
  beginRun(outDir: string, settings: CompilerSettings = this.#settings): void {
    this.#outDir = outDir.replaceAll('\\', '/') + '/';
    this.#settings = settings;
    this.#cache = undefined;
    this.#workspace = new WorkspaceSources(this.project.getModuleResolutionHost());
    this.#host = this.#makeHost();
    this.run++;
    this.missing.clear();
    this.affecting.clear();
    this.#fresh.clear();
    for (const [file, known] of this.#installed)
      if (!FRAMEWORK_FILES.has(file) && this.#host.readFile(file) !== known?.text) this.#installed.delete(file);
  }

  /** The sources of a file: itself, unless it is generated. */
  sourcesOf(file: string): readonly string[] {
    return this.#fresh.get(file)?.sources ?? [file];
  }

  /** The parsed file of a specifier, for evaluation; undefined for a declaration file. */
  resolve(from: string, specifier: string): ts.SourceFile | undefined {
    const found = this.resolvePath(from, specifier, undefined);
    if (found === undefined || found.includes('/node_modules/')) return undefined;
    const file = this.sourceFile(found);
    return file?.isDeclarationFile ? undefined : file;
  }

  /**
   * Absolute path of the file that a specifier means; undefined when there is none that can be read.
   * @param mode - module kind of the import; undefined for that of its file
   */
  resolvePath(from: string, specifier: string, mode: ts.ResolutionMode): string | undefined {
    if (isFramework(specifier)) return frameworkFile(specifier);
    const { options } = this.#settings;
    this.#cache ??= ts.createModuleResolutionCache('/', (each) => each, this.#resolutionOptions());
    const kind =
      mode ?? ts.getImpliedNodeFormatForFile(from, this.#cache.getPackageJsonInfoCache(), this.#host, options);
    const result = ts.resolveModuleName(
      specifier,
      from,
      this.#resolutionOptions(),
      this.#host,
      this.#cache,
      undefined,
      kind,
    );
    this.#noteLookups(result as WithFailedLookups);
    const found = result.resolvedModule?.resolvedFileName;
    if (found === undefined) return undefined;
    const source = this.#workspace.sourceOf(found) ?? found;
    return this.#isOldOutput(source) ? undefined : source;
  }

  /** The parsed file at a path; undefined when it is not there. */
  sourceFile(file: string): ts.SourceFile | undefined {
    const fresh = this.#fresh.get(file);
    if (fresh) return this.#parseFresh(file, fresh.content);
    if (FRAMEWORK_FILES.has(file) || file.includes('/node_modules/')) return this.#installedFile(file);
    if (this.#isOldOutput(file)) return undefined;
    const known = this.project.getSourceFile(file) ?? this.project.addSourceFileAtPathIfExists(file);
    return known?.compilerNode;
  }

  /** The text of a file, as it is or would be parsed; undefined when there is none. */
  textOf(file: string): string | undefined {
    const known = this.project.getSourceFile(file)?.compilerNode.text;
    return known ?? this.#host.readFile(file)?.replace(/^\uFEFF/, '');
  }

  // The host reports outputs that are not built yet as existing if their sources exist.
  #makeHost(): ts.ModuleResolutionHost {
    const base = this.project.getModuleResolutionHost();
    return {
      ...base,
      fileExists: (file) =>
        this.#fresh.has(file) || base.fileExists(file) || this.#workspace.sourceOf(file) !== undefined,
      directoryExists: (folder) => (base.directoryExists?.(folder) ?? true) || this.#workspace.isOutput(folder),
      realpath: (file) => this.#workspace.sourceOf(file) ?? base.realpath?.(file) ?? file,
    };
  }

  #resolutionOptions(): ts.CompilerOptions {
    return { ...this.#settings.options, allowJs: true };
  }

  #noteLookups({ failedLookupLocations = [], affectingLocations = [] }: WithFailedLookups): void {
    for (const each of failedLookupLocations) if (!each.includes('/node_modules/')) this.missing.add(each);
    for (const each of affectingLocations) if (!each.includes('/node_modules/')) this.affecting.add(each);
  }

  #isOldOutput(file: string): boolean {
    return this.#outDir !== undefined && file.startsWith(this.#outDir) && !this.#fresh.has(file);
  }

  #installedFile(file: string): ts.SourceFile | undefined {
    if (this.#installed.has(file)) return this.#installed.get(file);
    const text = FRAMEWORK_FILES.get(file) ?? this.#host.readFile(file);
    const made = text === undefined ? undefined : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
    this.#installed.set(file, made);
    return made;
  }

  #parseFresh(file: string, content: string): ts.SourceFile {
    const known = this.project.getSourceFile(file);
    if (known?.getFullText() === content) return known.compilerNode;
    return this.project.createSourceFile(file, content, { overwrite: true }).compilerNode;
  }
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
