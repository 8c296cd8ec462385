import { Project, ts } from 'ts-morph';
import { GLOBALS_FILE } from './framework-declarations.js';
import { type ModuleResolver, moduleResolverOf } from './module-resolver.js';
import { relationImports } from './relation-imports.js';

const LIBRARY_FOLDER = '/node_modules/typescript/lib';

/** The types of a project's sources. */
export interface ProjectTypes {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /**
   * Whether an import was not followed because its names serve relations only. To resolve such a name, use a program that follows all
   * imports.
   */
  isSpared(file: string, specifier: string): boolean;
}

/** Sources of a program. */
interface ProgramRoots {
  /** Files whose declarations are read; absolute. Their imports are followed. */
  readonly files: readonly string[];
  /** Files with global declarations, which count without being imported. */
  readonly ambient?: readonly string[];
  /** Follows every import of every file; default true. */
  readonly whole?: boolean;
}

/**
 * One program of TypeScript over given files and what they import. Sources that did not change since the last one are not parsed again. It
 * is never asked for diagnostics.
 */
class TypeProgram {
  constructor(readonly modules: ModuleResolver) {}

  /** The types of the current sources. */
  types({ files, ambient = [], whole = true }: ProgramRoots): ProjectTypes {
    const spared = new Set<string>();
    const roots = new Set([...files, ...ambient]);
    const isSpared = (file: ts.SourceFile, specifier: string) =>
      !whole && !roots.has(file.fileName) && relationImports(file).has(specifier);
    const host = hostOver(this.modules, (file, specifier) => {
      if (!isSpared(file, specifier)) return false;
      spared.add(`${file.fileName}\0${specifier}`);
      return true;
    });
    const { options } = this.modules.settings;
    const program = ts.createProgram({ rootNames: [GLOBALS_FILE, ...roots], options, host });
    return {
      program,
      checker: program.getTypeChecker(),
      isSpared: (file, specifier) => spared.has(`${file}\0${specifier}`),
    };
  }
}

type Spare = (file: ts.SourceFile, specifier: string) => boolean;

function hostOver(modules: ModuleResolver, isSpared: Spare): ts.CompilerHost {
  const { host } = modules;
  return {
    ...host,
    getSourceFile: (file, given) => {
      const found = file.startsWith(LIBRARY_FOLDER) ? libraryFile(file) : modules.sourceFile(file);
      if (found && typeof given === 'object') Object.assign(found, { impliedNodeFormat: given.impliedNodeFormat });
      return found;
    },
    resolveModuleNameLiterals: (literals, from, _redirected, options, containing) =>
      literals.map((literal) => {
        if (isSpared(containing, literal.text)) return { resolvedModule: undefined };
        const mode = ts.getModeForUsageLocation(containing, literal, options);
        return { resolvedModule: resolvedModule(modules.resolvePath(from, literal.text, mode)) };
      }),
    // Ambient types of packages, such as those of Node, describe no column.
    resolveTypeReferenceDirectiveReferences: (references) =>
      references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
    getDefaultLibFileName: () => `${LIBRARY_FOLDER}/lib.d.ts`,
    getDefaultLibLocation: () => LIBRARY_FOLDER,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (file) => file,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
  };
}

const TYPESCRIPT = /\.[cm]?tsx?$/;

function resolvedModule(file: string | undefined): ts.ResolvedModuleFull | undefined {
  if (file === undefined || !TYPESCRIPT.test(file)) return undefined;
  const extension = /(\.d)?\.[cm]?tsx?$/.exec(file)?.[0] ?? '.ts';
  return { resolvedFileName: file, extension, isExternalLibraryImport: file.includes('/node_modules/') };
}

// ts-morph contains the standard library as texts; each is parsed once per process.
const library = new Map<string, ts.SourceFile | undefined>();
let texts: ts.ModuleResolutionHost | undefined;

function libraryFile(file: string): ts.SourceFile | undefined {
  const known = library.get(file);
  if (known) return known;
  texts ??= new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const text = texts.readFile(file);
  const made = text === undefined ? undefined : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  library.set(file, made);
  return made;
}

const programs = new WeakMap<Project, TypeProgram>();

/** The one program of a project. */
export function typeProgramOf(project: Project): TypeProgram {
  const known = programs.get(project);
  if (known) return known;
  const made = new TypeProgram(moduleResolverOf(project));
  programs.set(project, made);
  return made;
}
