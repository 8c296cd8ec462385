import { createHash } from 'node:crypto';
import { type Project, ts } from 'ts-morph';
import type { Step } from '../engine/generator.js';
import { type ModuleResolver, moduleResolverOf, type ProjectTypes, typeProgramOf } from '../program/index.js';
import { type FileModels, ModelsReader, PlainModelsReader } from './read-models.js';

type Digests = Readonly<Record<string, string>>;

/** The reading of a file, with the digests of all files that it depends on. */
interface KeptReading {
  readonly reading: FileModels;
  readonly digests: Digests;
}

/** Content of a store as plain data. */
export interface KeptModels {
  readonly readings: Readonly<Record<string, KeptReading>>;
  /** Files that every model depends on: global declarations, and files that affect module resolution. */
  readonly shared: Digests;
  /** Files with global declarations. */
  readonly ambient: readonly string[];
  /** Paths that were looked for and do not exist. */
  readonly missing: readonly string[];
  /** By model: its last written module. */
  readonly written: Readonly<Record<string, WrittenModule>>;
}

/** Text of a module, and a digest of its inputs. */
export interface WrittenModule {
  readonly key: string;
  readonly content: string;
}

/** Modules by model. */
export type WrittenModules = ReadonlyMap<string, WrittenModule>;

/** Files about which the type checker takes more than a moment. */
const MANY = 20;

const NONE: FileModels = { models: [], problems: [], withoutTable: [], bases: [], files: [], isCut: false };

/**
 * The models of a project's files. A file is read again when a file that it depends on has changed; if none has, the compiler is not used.
 */
class ModelStore {
  /** The modules of the last run. Each has a digest of its inputs, so an outdated one is never used. */
  written: WrittenModules = new Map();
  #readings = new Map<string, KeptReading>();
  #shared = new Map<string, string>();
  #ambient: ReadonlySet<string> = new Set();
  #missing = new Set<string>();
  // Digests of one run, so that each file is read once per run.
  readonly #digests = new Map<string, string | undefined>();
  // Texts of all runs with their digests: comparing texts is faster than computing a digest.
  readonly #texts = new Map<string, { readonly text: string; readonly digest: string }>();
  #run = 0;
  readonly #modules: ModuleResolver;

  constructor(readonly project: Project) {
    this.#modules = moduleResolverOf(project);
  }

  /** The models that files declare. @param files - absolute paths */
  read(files: readonly string[], step?: Step): readonly FileModels[] {
    if (!this.#isSharedCurrent()) this.#forget();
    // Forgets deleted files.
    for (const file of this.#readings.keys()) if (this.#digestOf(file) === undefined) this.#readings.delete(file);
    const open = files.filter((file) => !this.#isCurrent(this.#readings.get(file)?.digests));
    if (open.length > 0) this.#readAnew(open, files, step);
    return files.map((file) => this.#readings.get(file)?.reading ?? NONE);
  }

  /** Absolute paths of all files that the models depend on. */
  files(): readonly string[] {
    const read = [...this.#readings.values()].flatMap(({ digests }) => Object.keys(digests));
    return [...new Set([...read, ...this.#shared.keys()])];
  }

  /** The content, for a later process. */
  kept(): KeptModels {
    return {
      readings: Object.fromEntries(this.#readings),
      shared: Object.fromEntries(this.#shared),
      ambient: [...this.#ambient],
      missing: [...this.#missing],
      written: Object.fromEntries(this.written),
    };
  }

  /** Restores the content of an earlier process; files that have changed since are read again. */
  restore({ readings, shared, ambient, missing, written }: KeptModels): void {
    this.#readings = new Map(Object.entries(readings));
    this.#shared = new Map(Object.entries(shared));
    this.#ambient = new Set(ambient);
    this.#missing = new Set(missing);
    this.written = new Map(Object.entries(written));
  }

  #forget(): void {
    this.restore({ readings: {}, shared: {}, ambient: [], missing: [], written: Object.fromEntries(this.written) });
  }

  #readAnew(open: readonly string[], all: readonly string[], step?: Step): void {
    const left = this.#readPlain(open, step);
    if (left.length > 0) {
      step?.(`asking the type checker about ${left.length} models`, left.length >= MANY);
      this.#readChecked(left, all);
    }
    for (const file of [...this.#modules.affecting, ...this.#ambient])
      this.#shared.set(file, this.#digestOf(file) ?? '');
    for (const file of this.#modules.missing) this.#missing.add(file);
  }

  /** @returns files whose text alone does not suffice */
  #readPlain(files: readonly string[], step?: Step): readonly string[] {
    const reader = new PlainModelsReader(this.#modules);
    return files.filter((file) => {
      step?.(`reading ${files.length} models`);
      const source = this.#modules.sourceFile(file);
      const reading = source && reader.read(source);
      if (reading) this.#keep(file, reading);
      return reading === undefined;
    });
  }

  // Follows only what the open files need at first, because the relations of a model may lead to every other model.
  #readChecked(open: readonly string[], all: readonly string[]): void {
    const program = typeProgramOf(this.project);
    const part = program.types({ files: open, ambient: [...this.#ambient], whole: false });
    const foreign = this.#ambientIn(part).filter((file) => !this.#ambient.has(file));
    if (foreign.length > 0 && open.length < all.length) {
      // Global declarations affect every file: readings without them may be wrong now.
      this.#readings.clear();
      this.#ambient = new Set(foreign);
      this.#readAnew(all, all);
      return;
    }
    this.#ambient = new Set([...this.#ambient, ...foreign]);
    const left = this.#readWith(part, open);
    if (left.length > 0) this.#readWith(program.types({ files: open, ambient: [...this.#ambient] }), left);
  }

  /** @returns files for which the program does not suffice */
  #readWith(types: ProjectTypes, files: readonly string[]): readonly string[] {
    const reader = new ModelsReader(types, this.#modules);
    return files.filter((file) => {
      const source = types.program.getSourceFile(file);
      const reading = source ? reader.read(source) : NONE;
      this.#keep(file, reading);
      return reading.isCut;
    });
  }

  #keep(file: string, reading: FileModels): void {
    const digests = Object.fromEntries(reading.files.map((each) => [each, this.#digestOf(each) ?? '']));
    this.#readings.set(file, { reading, digests });
  }

  // Scripts, and modules with global declarations or augmentations.
  #ambientIn({ program }: ProjectTypes): readonly string[] {
    const isOwn = (file: ts.SourceFile) =>
      !program.isSourceFileDefaultLibrary(file) && this.project.getSourceFile(file.fileName) !== undefined;
    const declares = (file: ts.SourceFile) =>
      !ts.isExternalModule(file) || file.statements.some((each) => ts.isModuleDeclaration(each) && isAmbient(each));
    return program
      .getSourceFiles()
      .filter((file) => isOwn(file) && declares(file))
      .map(({ fileName }) => fileName);
  }

  #isSharedCurrent(): boolean {
    const { host } = this.#modules;
    return (
      this.#isCurrent(Object.fromEntries(this.#shared)) && ![...this.#missing].some((file) => host.fileExists(file))
    );
  }

  #isCurrent(digests: Digests | undefined): boolean {
    return digests !== undefined && Object.entries(digests).every(([file, digest]) => this.#digestOf(file) === digest);
  }

  #digestOf(file: string): string | undefined {
    if (this.#run !== this.#modules.run) this.#digests.clear();
    this.#run = this.#modules.run;
    if (this.#digests.has(file)) return this.#digests.get(file);
    const text = this.#modules.textOf(file);
    const before = this.#texts.get(file);
    const isSame = before !== undefined && before.text === text;
    const digest = isSame ? before.digest : text === undefined ? undefined : sha256(text);
    if (text !== undefined && digest !== undefined) this.#texts.set(file, { text, digest });
    this.#digests.set(file, digest);
    return digest;
  }
}

/** Digest of a text. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function isAmbient(node: ts.ModuleDeclaration): boolean {
  return ts.isStringLiteral(node.name) || (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
}

const stores = new WeakMap<Project, ModelStore>();

/** The one store of a project. */
export function modelStoreOf(project: Project): ModelStore {
  const known = stores.get(project);
  if (known) return known;
  const made = new ModelStore(project);
  stores.set(project, made);
  return made;
}

/** The models that files declare, read once for all generators. @param files - absolute paths */
export const readModels = (files: readonly string[], project: Project, step?: Step): readonly FileModels[] =>
  modelStoreOf(project).read(files, step);
