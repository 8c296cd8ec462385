import path from 'node:path';
import { ts } from 'ts-morph';

type Host = Pick<ts.ModuleResolutionHost, 'fileExists' | 'readFile' | 'realpath'>;

interface Layout {
  /** Folder that the compiler writes to, absolute. */
  readonly output: string;
  /** Folders that its sources may stand in, absolute. */
  readonly sources: readonly string[];
}

const OUTPUT = /\.(d\.)?([cm]?)[jt]s$/;

/**
 * Finds the source behind a file that a compiler wrote, for the packages of a workspace: their package.json names `dist/index.d.ts`,
 * where no decorator is left, or which is not built yet.
 */
export class WorkspaceSources {
  readonly #layouts = new Map<string, Layout | undefined>();
  readonly #packages = new Map<string, string>();

  constructor(readonly host: Host) {}

  /** The source of an output, absolute; undefined when it is none, or belongs to an installed package. */
  sourceOf(given: string): string | undefined {
    if (!OUTPUT.test(given)) return undefined;
    const file = this.#real(given);
    if (file.includes('/node_modules/')) return undefined;
    const layout = this.#layoutOf(path.posix.dirname(file));
    if (layout === undefined) return undefined;
    const inside = path.posix.relative(layout.output, file);
    if (/^\.\.(?:\/|$)/.test(inside)) return undefined;
    const source = inside.replace(OUTPUT, '.$2ts');
    return layout.sources
      .map((folder) => path.posix.join(folder, source))
      .find((each) => each !== file && this.host.fileExists(each));
  }

  /** Whether a folder is the output of a compiler, existing or not. */
  isOutput(given: string): boolean {
    const folder = this.#real(given);
    if (folder.includes('/node_modules/')) return false;
    const layout = this.#layoutOf(folder);
    return layout !== undefined && (folder === layout.output || folder.startsWith(`${layout.output}/`));
  }

  // Package managers link the packages of a workspace into node_modules.
  #real(file: string): string {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/|$)/.exec(file)?.[0];
    if (folder === undefined) return file;
    const known = this.#packages.get(folder) ?? this.#realFolder(folder);
    this.#packages.set(folder, known);
    return known + file.slice(folder.length);
  }

  #realFolder(folder: string): string {
    const isThere = this.host.fileExists(path.posix.join(folder, 'package.json'));
    return isThere ? (this.host.realpath?.(folder) ?? folder) : folder;
  }

  // The nearest tsconfig above an output folder says what is compiled into it.
  #layoutOf(folder: string): Layout | undefined {
    if (this.#layouts.has(folder)) return this.#layouts.get(folder);
    const config = path.posix.join(folder, 'tsconfig.json');
    const above = path.posix.dirname(folder);
    const layout = this.host.fileExists(config)
      ? this.#read(config)
      : above === folder || this.host.fileExists(path.posix.join(folder, 'package-lock.json'))
        ? undefined
        : this.#layoutOf(above);
    this.#layouts.set(folder, layout);
    return layout;
  }

  #read(config: string): Layout | undefined {
    const folder = path.posix.dirname(config);
    const source = ts.readJsonConfigFile(config, (each) => this.host.readFile(each));
    const { options, projectReferences = [] } = ts.parseJsonSourceFileConfigFileContent(
      source,
      {
        useCaseSensitiveFileNames: true,
        fileExists: this.host.fileExists,
        readFile: this.host.readFile,
        readDirectory: () => [],
      },
      folder,
    );
    const output = options.declarationDir ?? options.outDir;
    if (output === undefined) {
      const [only] = projectReferences;
      return only && this.#read(ts.resolveProjectReferencePath(only));
    }
    const sources = options.rootDir === undefined ? [path.posix.join(folder, 'src'), folder] : [options.rootDir];
    return { output, sources };
  }
}
