import path from 'node:path';
import type { Project, ts as TypeScript } from 'ts-morph';
import { isFwError, readTextFile } from '../../../../kernel/index.js';
import type { RunContext } from '../project.js';

type TS = typeof TypeScript;
const MOST_FILES = 5_000;
const MAX_FILE_BYTES = 1 << 20;
const PATTERNS = ['**/*.{ts,tsx,mts,cts}'];
const NEVER = ['**/node_modules/**', '**/dist/**', '**/coverage/**', '**/vendor/**', '**/.*/**', '**/*.d.{ts,mts,cts}'];

/** The sources of a project, parsed and bound. Nothing is run, and no types are inferred. */
export interface Sources {
  readonly ts: TS;
  readonly project: Project;
  readonly checker: TypeScript.TypeChecker;
  /** Sorted by path; tests and generated files among them. */
  readonly files: readonly SourceFile[];
  /** Skipped files, with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/** One parsed file. */
export interface SourceFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
  readonly tree: TypeScript.SourceFile;
}

/** Reads every TypeScript file of a project. */
export async function readSources(root: string, context: RunContext): Promise<Sources> {
  // Loaded on demand, because loading the parser is slow.
  const [{ Project, ts }, { glob }] = await Promise.all([import('ts-morph'), import('tinyglobby')]);
  const found = (await glob(PATTERNS, { cwd: root, ignore: NEVER, followSymbolicLinks: false })).sort();
  const skipped = found.slice(MOST_FILES).map((file) => ({ file, reason: `more than ${MOST_FILES} files` }));
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
    },
  });
  for (const file of found.slice(0, MOST_FILES)) {
    context.signal.throwIfAborted();
    const text = await textOf(path.join(root, file), context);
    if (typeof text === 'string') project.createSourceFile(`/${file}`, text);
    else skipped.push({ file, reason: text.reason });
  }
  const program = project.getProgram().compilerObject;
  const files: SourceFile[] = [];
  for (const source of project.getSourceFiles()) {
    const tree = source.compilerNode;
    const file = source.getFilePath().slice(1);
    const [broken] = program.getSyntacticDiagnostics(tree);
    if (broken) {
      const line = tree.getLineAndCharacterOfPosition(broken.start ?? 0).line + 1;
      const reason = ts.flattenDiagnosticMessageText(broken.messageText, ' ');
      skipped.push({ file, reason: `line ${line}: ${reason}` });
    } else files.push({ path: file, text: tree.text, tree });
  }
  return { ts, project, checker: program.getTypeChecker(), files, skipped };
}

async function textOf(file: string, { confine }: RunContext): Promise<string | { readonly reason: string }> {
  try {
    return await readTextFile(await confine(file), { maxBytes: MAX_FILE_BYTES });
  } catch (error) {
    if (isFwError(error)) return { reason: error.message };
    throw error;
  }
}

/** Whether a file has tests or helpers of tests. */
export function isTestFile(file: string): boolean {
  return /\.(test|spec|bench)\.[cm]?tsx?$/.test(file) || /(^|\/)(tests?|__tests__)\//.test(file);
}
