import path from 'node:path';
import { ts } from 'ts-morph';

/** Compiler options with which a project's sources are read. */
export interface CompilerSettings {
  readonly options: ts.CompilerOptions;
  /** Absolute paths of the tsconfig files that set them. */
  readonly files: readonly string[];
  /** Whether the parts of the standard library that the project is compiled with have no Temporal. */
  readonly lacksTemporal?: boolean;
}

type Host = Pick<ts.ModuleResolutionHost, 'fileExists' | 'readFile' | 'directoryExists'>;

const DEFAULTS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

// Options that affect module resolution and types. Code generation ignores the rest of a tsconfig, which concerns the compiler's output and
// errors.
const TAKEN = [
  'module',
  'moduleResolution',
  'moduleSuffixes',
  'moduleDetection',
  'paths',
  'pathsBasePath',
  'baseUrl',
  'rootDirs',
  'customConditions',
  'allowImportingTsExtensions',
  'resolvePackageJsonExports',
  'resolvePackageJsonImports',
  'preserveSymlinks',
  'esModuleInterop',
  'allowSyntheticDefaultImports',
  'verbatimModuleSyntax',
  'isolatedModules',
  'exactOptionalPropertyTypes',
  'experimentalDecorators',
] as const;

// The parts of the standard library that types of columns use.
const LIBRARY = [
  'lib.es5.d.ts',
  'lib.es2015.core.d.ts',
  'lib.es2015.collection.d.ts',
  'lib.es2015.symbol.d.ts',
  'lib.es2015.symbol.wellknown.d.ts',
  'lib.es2015.iterable.d.ts',
  'lib.es2015.promise.d.ts',
  'lib.es2020.bigint.d.ts',
];

/** Options for every project: `null` has to be visible in types even if the project is not strict. */
const FORCED: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: LIBRARY,
  types: [],
  strictNullChecks: true,
  skipLibCheck: true,
  noEmit: true,
  allowJs: false,
};

/** Settings of a project without a tsconfig. */
export const defaultSettings = (): CompilerSettings => ({ options: { ...DEFAULTS, ...FORCED }, files: [] });

/**
 * Reads the `tsconfig.json` of a folder, or the nearest in the folders above, with the files that it extends. If it has only project
 * references, reads the reference that includes the given source.
 *
 * @param folder - absolute
 * @param sample - absolute path of a source, to choose among references
 */
export function readCompilerSettings(folder: string, host: Host, sample: string | undefined): CompilerSettings {
  const file = ts.findConfigFile(folder, (each) => host.fileExists(each));
  if (file === undefined) return defaultSettings();
  const read = settingsOf(file, host);
  const [first, ...others] = read.references.map((each) => settingsOf(each, host));
  if (first === undefined || read.hasFiles) return withForced(read);
  const all = [first, ...others];
  return withForced(all.find((each) => sample !== undefined && each.covers(sample)) ?? read);
}

interface ReadConfig extends CompilerSettings {
  readonly references: readonly string[];
  readonly hasFiles: boolean;
  covers(file: string): boolean;
}

function settingsOf(file: string, host: Host): ReadConfig {
  const source = ts.readJsonConfigFile(file, (each) => host.readFile(each));
  const found: string[] = [];
  const parseHost: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    fileExists: (each) => host.fileExists(each),
    readFile: (each) => host.readFile(each),
    // app.config.ts names the files; only the folders of `include` are used, to choose between references.
    readDirectory: (root, _extensions, _excludes, includes) => {
      found.push(...includes.map((each) => path.posix.join(root, each)));
      return [];
    },
  };
  const folder = path.posix.dirname(file.replaceAll('\\', '/'));
  const parsed = ts.parseJsonSourceFileConfigFileContent(source, parseHost, folder, undefined, file);
  const raw = (parsed.raw ?? {}) as { files?: readonly string[]; include?: readonly string[] };
  return {
    options: parsed.options,
    files: [file, ...(source.extendedSourceFiles ?? [])],
    references: (parsed.projectReferences ?? []).map((each) => ts.resolveProjectReferencePath(each)),
    hasFiles: raw.files?.length !== 0 || raw.include !== undefined,
    covers: (each) => parsed.fileNames.includes(each) || found.some((glob) => startOf(glob, each)),
  };
}

// `src/**/*` and `src` cover src/models/user.ts.
function startOf(glob: string, file: string): boolean {
  const literal = glob.slice(0, /[*?{[]/.exec(glob)?.index ?? glob.length).replace(/\/$/, '');
  return file.startsWith(`${literal}/`) || file === literal;
}

function withForced({ options, files }: CompilerSettings): CompilerSettings {
  const taken = Object.fromEntries(
    TAKEN.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
  const hasModule = options.module !== undefined || options.moduleResolution !== undefined;
  const lacksTemporal =
    options.lib === undefined
      ? options.target !== ts.ScriptTarget.ESNext
      : !options.lib.some((each) => WITH_TEMPORAL.test(each));
  return {
    options: { ...(!hasModule && DEFAULTS), ...taken, ...FORCED },
    files,
    ...(lacksTemporal && { lacksTemporal }),
  };
}

// As the compiler calls the files; `esnext` has all that is newer than the last release of the language.
const WITH_TEMPORAL = /^lib\.esnext(?:\.full|\.temporal)?\.d\.ts$/;
