import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

// Programs read the framework's own sources, which need their own settings and not the project's.
const OF_FRAMEWORK: ts.CompilerOptions = { customConditions: ['fw-source'], incremental: false, composite: false };

/** What is checked: the files of a folder, and what they import. */
export interface Project {
  readonly root: string;
  readonly files: readonly string[];
  readonly options: ts.CompilerOptions;
}

/**
 * Checks projects as `tsc` does. Files that all projects read, such as the framework and the standard library, are found and parsed
 * once, and projects that cannot tell can be checked in one program, which then reads the types of the framework once.
 */
export class Compiler {
  readonly #shared = new Map<string, ts.SourceFile | undefined>();
  readonly #found = new Map<string, ts.ModuleResolutionCache>();
  readonly #programs = new Map<string, ts.Program>();

  /** Has projects of the same settings checked in one program, where none of them says or finds anything that others would see. */
  checkTogether(roots: readonly string[]): void {
    // Settings with a folder of the project in them are like no other's.
    const alike = new Map<string, Project[]>();
    for (const project of roots.map(projectIn)) {
      if (!isByItself(project)) continue;
      const key = JSON.stringify(project.options);
      alike.set(key, [...(alike.get(key) ?? []), project]);
    }
    for (const projects of alike.values()) this.#read(projects);
  }

  /** The errors in the files of a project, as `file:line message`; those in what it imports from outside are left out. */
  errorsOf(root: string): readonly string[] {
    return errorsIn(this.#programs.get(root) ?? this.#read([projectIn(root)]), root);
  }

  /** The errors of {@link errorsOf}, for files and options that are not those of a tsconfig.json. */
  errorsIn(project: Project): readonly string[] {
    return errorsIn(this.#read([project]), project.root);
  }

  #read(projects: readonly Project[]): ts.Program {
    const [{ options: own }] = projects as [Project];
    const options = { ...own, ...OF_FRAMEWORK };
    const roots = projects.map(({ root }) => root);
    const rootNames = projects.flatMap(({ files }) => files);
    const program = ts.createProgram({ rootNames, options, host: this.#host(options, roots) });
    if (roots.length > 1) for (const root of roots) this.#programs.set(root, program);
    return program;
  }

  #host(options: ts.CompilerOptions, roots: readonly string[]): ts.CompilerHost {
    const base = ts.createCompilerHost(options);
    const found = this.#foundWith(options);
    const getSourceFile: ts.CompilerHost['getSourceFile'] = (file, given, ...rest) => {
      if (roots.some((root) => file.startsWith(`${root}/`))) return base.getSourceFile(file, given, ...rest);
      const key = `${parsedAs(given)} ${file}`;
      if (!this.#shared.has(key)) this.#shared.set(key, base.getSourceFile(file, given, ...rest));
      return this.#shared.get(key);
    };
    const host: ts.CompilerHost = {
      ...base,
      getSourceFile,
      getModuleResolutionCache: () => found,
      resolveModuleNameLiterals: (names, from, redirected, of, source) =>
        names.map((name) => {
          const mode = ts.getModeForUsageLocation(source, name, of);
          return ts.resolveModuleName(name.text, from, of, host, found, redirected, mode);
        }),
    };
    return host;
  }

  // Where modules are depends on settings.
  #foundWith(options: ts.CompilerOptions): ts.ModuleResolutionCache {
    const key = JSON.stringify(options);
    const found = this.#found.get(key) ?? ts.createModuleResolutionCache(process.cwd(), (name) => name, options);
    this.#found.set(key, found);
    return found;
  }
}

/** What a file is parsed by, where its own text says whether it is a module. */
function parsedAs(given: ts.ScriptTarget | ts.CreateSourceFileOptions): string {
  return typeof given === 'object' ? `${given.languageVersion} ${given.impliedNodeFormat}` : String(given);
}

function errorsIn(program: ts.Program, root: string): readonly string[] {
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${root}/`) && !fileName.includes('/node_modules/'));
  const found = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return found.map((each) => sentence(each, root));
}

function projectIn(root: string): Project {
  const file = path.join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, (each) => ts.sys.readFile(each)) as { config: object };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return { root, files: fileNames, options };
}

/** Whether a project brings no packages, which are known by their names, and every file is a module that adds only to those beside it. */
function isByItself({ root, files, options }: Project): boolean {
  // Without a list, what is found in the folders above belongs to the program.
  if (options.types === undefined) return false;
  const packages = path.join(root, 'node_modules');
  if (existsSync(packages) && readdirSync(packages).some((name) => name !== 'fw')) return false;
  return files.every((file) => {
    const source = ts.createSourceFile(file, ts.sys.readFile(file) ?? '', ts.ScriptTarget.Latest);
    return ts.isExternalModule(source) && source.statements.every((each) => !addsElsewhere(each));
  });
}

function addsElsewhere(statement: ts.Statement): boolean {
  if (!ts.isModuleDeclaration(statement)) return false;
  const { name } = statement;
  return name.text === 'global' || (ts.isStringLiteral(name) && !name.text.startsWith('.'));
}

function sentence({ file, start, messageText }: ts.Diagnostic, root: string): string {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ');
  if (!file) return text;
  const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
  return `${path.relative(root, file.fileName)}:${line + 1} ${text}`;
}
