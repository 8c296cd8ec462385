import { ts } from 'ts-morph';
import type { SourceProblem } from '../engine/source-problem.js';
import { Evaluator } from '../evaluator/index.js';
import type { ModuleResolver, ProjectTypes } from '../program/index.js';
import { CheckedFacts } from './checked-facts.js';
import type { ClassFacts } from './class-facts.js';
import { ClassReader } from './class-reader.js';
import { MarkReader, type Report } from './marks.js';
import type { LibraryClass } from './library-format.js';
import { LibraryReader } from './library-reader.js';
import type { ModelSource, Place } from './model-source.js';
import { placeOf, problemAtPlace } from './place.js';
import { NO_TYPES, NotPlain, PlainFacts, PlainFiles } from './plain/index.js';

/** The models of a file, or its mistakes. */
export interface FileModels {
  readonly models: readonly ModelSource[];
  readonly problems: readonly SourceProblem[];
  /** Classes with columns but without a table, which may be bases of models. */
  readonly withoutTable: readonly ClassWithoutTable[];
  /** Ids of the classes that others extend, as in {@link ClassWithoutTable}. */
  readonly bases: readonly string[];
  /** Absolute paths of all files that the reading depends on. */
  readonly files: readonly string[];
  /** Whether a question needed an import that the program has not followed, so that a larger program has to answer. */
  readonly isCut: boolean;
}

/** A class whose properties carry `@db` and that carries no `@table`. */
interface ClassWithoutTable {
  /** Its place as text. */
  readonly id: string;
  readonly name: string;
  readonly place: Place;
}

/** Reads the model classes of files with the types of one program. */
export class ModelsReader {
  readonly #evaluator: Evaluator;
  readonly #libraries: LibraryReader;

  constructor(
    readonly types: ProjectTypes,
    modules: ModuleResolver,
  ) {
    this.#evaluator = new Evaluator(modules);
    this.#libraries = new LibraryReader(modules);
  }

  /**
   * Marks of the top-level classes of a file and of their bases in sources, each with its own members. Mistakes are left to {@link read}.
   */
  markedClasses(file: ts.SourceFile): ReadonlyMap<ts.ClassLikeDeclaration, LibraryClass['members']> {
    const libraries = this.#libraries;
    const marks = new MarkReader(this.types, this.#evaluator, libraries, silent);
    const facts = new CheckedFacts(this.types, libraries);
    const chains = file.statements
      .filter(ts.isClassDeclaration)
      .flatMap((declaration) => facts.chainOf(declaration, silent))
      .filter((each) => !each.getSourceFile().isDeclarationFile);
    const reading = { facts, marks, libraries, report: silent };
    return new Map(chains.map((each) => [each, new ClassReader(each, reading).ownMembers()]));
  }

  /** Every class with `@table`, anywhere in the file. */
  read(file: ts.SourceFile): FileModels {
    const { types } = this;
    const facts = new CheckedFacts(types, this.#libraries);
    return new FileReader({ types, facts, evaluator: this.#evaluator, libraries: this.#libraries }).read(file);
  }
}

/** Reads the model classes of files by their text alone, which takes a fraction of the time that a program does. */
export class PlainModelsReader {
  readonly #sources: PlainFiles;
  readonly #evaluator: Evaluator;
  readonly #libraries: LibraryReader;

  constructor(modules: ModuleResolver) {
    this.#sources = new PlainFiles(modules);
    this.#evaluator = new Evaluator(modules);
    this.#libraries = new LibraryReader(modules);
  }

  /** The same result as a {@link ModelsReader}; undefined for a file that needs one or has mistakes. */
  read(file: ts.SourceFile): FileModels | undefined {
    const facts = new PlainFacts(this.#sources);
    const reader = new FileReader({
      types: NO_TYPES,
      facts,
      evaluator: this.#evaluator,
      libraries: this.#libraries,
    });
    try {
      const found = reader.read(file);
      return found.problems.length > 0 ? undefined : found;
    } catch (error) {
      if (error instanceof NotPlain) return undefined;
      throw error;
    }
  }
}

interface FileReading {
  readonly types: ProjectTypes;
  readonly facts: ClassFacts;
  readonly evaluator: Evaluator;
  readonly libraries: LibraryReader;
}

const silent: Report = () => undefined;

/** Reads one file. */
class FileReader {
  constructor(readonly reading: FileReading) {}

  read(file: ts.SourceFile): FileModels {
    const { types, facts, evaluator, libraries } = this.reading;
    const problems: SourceProblem[] = [];
    const report: Report = (node, message) => problems.push(problemAtPlace(placeOf(node), message));
    const marks = new MarkReader(types, evaluator, libraries, report);
    evaluator.takeFiles();
    libraries.takeFiles();
    facts.note(file);
    const models: ModelSource[] = [];
    const withoutTable: ClassWithoutTable[] = [];
    const bases = new Set<string>();
    for (const declaration of classesIn(file)) {
      for (const base of this.#basesOf(declaration)) bases.add(base);
      if (!marks.isModel(declaration)) {
        if (this.#hasLostColumns(declaration)) withoutTable.push(classAt(declaration));
        continue;
      }
      const reader = new ClassReader(declaration, { facts, marks, libraries, report });
      if (reader.canBeImported()) models.push(reader.read());
    }
    const files = new Set([...facts.files, ...evaluator.takeFiles(), ...libraries.takeFiles()]);
    return {
      models,
      problems: distinct(problems),
      withoutTable,
      bases: [...bases],
      files: [...files].sort(),
      isCut: facts.isCut,
    };
  }

  #basesOf(declaration: ts.ClassLikeDeclaration): readonly string[] {
    const chain = this.reading.facts.chainOf(declaration, silent);
    return chain.filter((each) => each !== declaration).map((each) => classAt(each).id);
  }

  // Abstract classes and classes inside functions are bases by intention, so they are not reported.
  #hasLostColumns(declaration: ts.ClassLikeDeclaration): boolean {
    const isAbstract = (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) !== 0;
    if (isAbstract || !ts.isSourceFile(declaration.parent)) return false;
    // Mistakes in the marks of a class that is no model are not reported.
    const { types, evaluator, libraries } = this.reading;
    const quiet = new MarkReader(types, evaluator, libraries, silent);
    return declaration.members.some((member) => quiet.marksOf(member).some(({ name }) => name === 'db'));
  }
}

function classAt(declaration: ts.ClassLikeDeclaration): ClassWithoutTable {
  const place = placeOf(declaration);
  return { id: `${place.file}:${place.line}:${place.column}`, name: declaration.name?.text ?? 'a class', place };
}

// A mistake in a base of two models is reported once.
function distinct(problems: readonly SourceProblem[]): readonly SourceProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

function classesIn(file: ts.SourceFile): readonly ts.ClassLikeDeclaration[] {
  const found: ts.ClassLikeDeclaration[] = [...file.statements.filter(ts.isClassDeclaration)];
  // The number of occurrences of `class` tells whether there can be nested classes.
  if (file.text.split(/\bclass\b/).length - 1 === found.length) return found;
  found.length = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
