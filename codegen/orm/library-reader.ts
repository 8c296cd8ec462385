import path from 'node:path';
import { ts } from 'ts-morph';
import type { ModuleResolver } from '../program/index.js';
import { type LibraryClass, type LibraryFile, parseLibrary } from './library-format.js';

type LibraryMember = LibraryClass['members'][string];

/**
 * Descriptions of model classes in installed packages, whose `.d.ts` files have no decorators: a package names the file in its
 * package.json, `"fw": { "models": "./dist/fw-models.json" }`.
 */
export class LibraryReader {
  readonly #packages = new Map<string, LibraryPackage | undefined>();
  readonly #folders = new Map<string, string | undefined>();
  #files = new Set<string>();

  constructor(readonly modules: ModuleResolver) {}

  /** The description of a class by its package; undefined for a class that the package does not list. */
  classOf(declaration: ts.ClassLikeDeclaration): LibraryClass | undefined {
    const file = declaration.getSourceFile();
    if (!file.isDeclarationFile || declaration.name === undefined) return undefined;
    return this.packageOf(file.fileName)?.classes.get(declaration.name.text);
  }

  /** The description of a member of a class. */
  memberOf(node: ts.Node): LibraryMember | undefined {
    if (!ts.isPropertyDeclaration(node) || !ts.isClassLike(node.parent)) return undefined;
    const name = ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? node.name.text : undefined;
    const members = this.classOf(node.parent)?.members;
    return members && name !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
  }

  /** The package that a declaration file belongs to, if it describes its classes. */
  packageOf(file: string): LibraryPackage | undefined {
    const folder = this.#folderOf(path.posix.dirname(file));
    if (folder === undefined) return undefined;
    if (!this.#packages.has(folder)) this.#packages.set(folder, this.#read(folder));
    const found = this.#packages.get(folder);
    this.#files.add(path.posix.join(folder, 'package.json'));
    if (found) this.#files.add(found.file);
    return found;
  }

  /** Absolute paths of the files that were used since the last call. */
  takeFiles(): ReadonlySet<string> {
    const taken = this.#files;
    this.#files = new Set();
    return taken;
  }

  #read(folder: string): LibraryPackage | undefined {
    const { fw } = this.#manifest(folder);
    if (typeof fw?.models !== 'string') return undefined;
    const file = path.posix.join(folder, fw.models);
    const { classes, generated } = parseLibrary(file, this.modules.textOf(file));
    return { file, generated, classes: new Map(classes.map((each) => [each.name, each])) };
  }

  // Skips a package.json without a name: it only sets the module type of a folder inside the package.
  #folderOf(folder: string): string | undefined {
    if (this.#folders.has(folder)) return this.#folders.get(folder);
    const above = path.posix.dirname(folder);
    const found =
      this.#manifest(folder).name !== undefined ? folder : above === folder ? undefined : this.#folderOf(above);
    this.#folders.set(folder, found);
    return found;
  }

  #manifest(folder: string): PackageManifest {
    const text = this.modules.host.readFile(path.posix.join(folder, 'package.json'));
    return text === undefined ? {} : (ts.parseConfigFileTextToJson('package.json', text).config as PackageManifest);
  }
}

interface PackageManifest {
  readonly name?: unknown;
  readonly fw?: { readonly models?: unknown } | undefined;
}

/** A package's descriptions of its classes, by name. */
interface LibraryPackage {
  /** Absolute path of the description. */
  readonly file: string;
  readonly classes: ReadonlyMap<string, LibraryClass>;
  readonly generated: LibraryFile['generated'];
}
