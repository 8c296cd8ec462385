import { ts } from 'ts-morph';
import { frameworkFile, isFramework, type ModuleResolver, ORM_FILE, relationImports } from '../../program/index.js';
import { notPlain } from './not-plain.js';
import { type Meaning, PlainNames } from './plain-names.js';

/** The declaration that a name finally refers to. */
export type Found =
  | Exclude<Meaning, { readonly is: 'import' | 'module' | 'other' }>
  /** An export of `fw/orm`. */
  | { readonly is: 'framework'; readonly name: string };

/**
 * Follows names through the modules of a project by syntax alone. It gives up where a name leads out of the project, and at files with
 * global declarations or augmentations, whose effects only the type checker knows.
 */
export class PlainFiles {
  readonly #names = new Map<ts.SourceFile, PlainNames>();
  readonly #quiet = new Set<string>();
  readonly #found = new Map<ts.SourceFile, Map<string, readonly [Found, readonly string[]]>>();

  constructor(readonly modules: ModuleResolver) {}

  /** Names of a file, if neither it nor the files that it imports have global declarations. @throws NotPlain */
  namesOf(file: ts.SourceFile): PlainNames {
    const known = this.#names.get(file);
    if (known) return known;
    const seen = new Set<string>();
    this.#visit(file, seen);
    for (const each of seen) this.#quiet.add(each);
    const names = new PlainNames(file);
    this.#names.set(file, names);
    return names;
  }

  /**
   * The declaration of a top-level name of a file, and the files on the way; undefined for a name that the file does not declare.
   * @throws NotPlain
   */
  lookUp(file: ts.SourceFile, name: string): readonly [Found, readonly string[]] | undefined {
    const meaning = this.namesOf(file).meaningOf(name);
    if (meaning === undefined) return undefined;
    const known = this.#found.get(file) ?? new Map<string, readonly [Found, readonly string[]]>();
    this.#found.set(file, known);
    const files: string[] = [];
    const found = known.get(name) ?? ([this.#follow(file, meaning, files, 0), files] as const);
    known.set(name, found);
    return found;
  }

  #follow(file: ts.SourceFile, meaning: Meaning, files: string[], hops: number): Found {
    if (meaning.is === 'other' || meaning.is === 'module' || hops > MOST_HOPS) return notPlain();
    if (meaning.is !== 'import') {
      files.push(file.fileName);
      return meaning;
    }
    const { specifier, name } = meaning;
    if (isFramework(specifier)) return frameworkFile(specifier) === ORM_FILE ? { is: 'framework', name } : notPlain();
    return this.#exported(this.#moduleOf(file, specifier), name, files, hops + 1) ?? notPlain();
  }

  #exported(module: ts.SourceFile, name: string, files: string[], hops: number): Found | undefined {
    if (hops > MOST_HOPS) return notPlain();
    const names = this.namesOf(module);
    files.push(module.fileName);
    const own = names.exportedAs(name);
    if (own) return this.#follow(module, own, files, hops);
    if (name === 'default') return undefined;
    const all = names.stars.flatMap(
      (each) => this.#exported(this.#moduleOf(module, each), name, files, hops + 1) ?? [],
    );
    return all.length > 1 ? notPlain() : all[0];
  }

  #moduleOf(from: ts.SourceFile, specifier: string): ts.SourceFile {
    const file = this.#pathOf(from, specifier);
    return (file === undefined ? undefined : this.modules.sourceFile(file)) ?? notPlain();
  }

  /** Path of a source of the project or its workspace; undefined for an installed package. */
  #pathOf(from: ts.SourceFile, specifier: string): string | undefined {
    const file = this.modules.resolvePath(from.fileName, specifier, undefined);
    const isSource = file !== undefined && SOURCE.test(file) && !file.includes('/node_modules/');
    return isSource ? file : undefined;
  }

  // Visits files like the type checker's program, except through relations: their models are read separately.
  #visit(file: ts.SourceFile, seen: Set<string>): void {
    if (this.#quiet.has(file.fileName) || seen.has(file.fileName)) return;
    seen.add(file.fileName);
    if (file.isDeclarationFile || speaksForOthers(file)) return notPlain();
    const spared = relationImports(file);
    for (const specifier of specifiersOf(file)) {
      if (isFramework(specifier) || spared.has(specifier)) continue;
      const path = this.#pathOf(file, specifier);
      const module = path === undefined ? undefined : this.modules.sourceFile(path);
      if (module) this.#visit(module, seen);
    }
  }
}

const MOST_HOPS = 50;
const SOURCE = /(?<!\.d)\.[cm]?tsx?$/;

const specifiersOf = (file: ts.SourceFile): readonly string[] =>
  file.statements.flatMap((each) => {
    const specifier = ts.isImportDeclaration(each) || ts.isExportDeclaration(each) ? each.moduleSpecifier : undefined;
    return specifier && ts.isStringLiteral(specifier) ? [specifier.text] : [];
  });

// Whether a file is a script, has global declarations or augmentations, or refers to files that may have them.
const speaksForOthers = (file: ts.SourceFile): boolean =>
  !ts.isExternalModule(file) ||
  file.referencedFiles.length > 0 ||
  file.statements.some((each) => ts.isModuleDeclaration(each) || ts.isImportEqualsDeclaration(each));
