import path from 'node:path';
import ts from 'typescript';

/** Checks projects as `tsc` does. Files that all projects read, such as the framework and the standard library, are parsed once. */
export class Compiler {
  readonly #shared = new Map<string, ts.SourceFile | undefined>();

  /** The errors in the files of a project, as `file:line message`; those in what it imports from outside are left out. */
  errorsOf(root: string): readonly string[] {
    const parsed = this.#parsedConfig(path.join(root, 'tsconfig.json'));
    // The program reads the framework's own sources, which need their own settings and not the project's.
    const options: ts.CompilerOptions = {
      ...parsed.options,
      customConditions: ['fw-source'],
      incremental: false,
      composite: false,
    };
    const host = this.#host(options, root);
    const program = ts.createProgram({ rootNames: parsed.fileNames, options, host });
    const own = program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(`${root}/`) && !fileName.includes('/node_modules/'));
    const found = own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]);
    return found.map((each) => sentence(each, root));
  }

  #parsedConfig(file: string): ts.ParsedCommandLine {
    const { config } = ts.readConfigFile(file, (each) => ts.sys.readFile(each)) as { config: object };
    return ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(file));
  }

  #host(options: ts.CompilerOptions, root: string): ts.CompilerHost {
    const base = ts.createCompilerHost(options);
    const getSourceFile: ts.CompilerHost['getSourceFile'] = (file, given, ...rest) => {
      if (file.startsWith(`${root}/`)) return base.getSourceFile(file, given, ...rest);
      const key = `${options.module} ${file}`;
      if (!this.#shared.has(key)) this.#shared.set(key, base.getSourceFile(file, given, ...rest));
      return this.#shared.get(key);
    };
    return { ...base, getSourceFile };
  }
}

function sentence({ file, start, messageText }: ts.Diagnostic, root: string): string {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ');
  if (!file) return text;
  const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
  return `${path.relative(root, file.fileName)}:${line + 1} ${text}`;
}
