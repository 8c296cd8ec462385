import { ts } from 'ts-morph';
import type { ClassFacts } from './class-facts.js';
import type { LibraryReader } from './library-reader.js';
import type { Mark, MarkReader, Report } from './marks.js';

/** Services that the readers of a class use. */
export interface Reading {
  readonly facts: ClassFacts;
  readonly marks: MarkReader;
  readonly libraries: LibraryReader;
  readonly report: Report;
}

/** A property of a model, with the marks of all its declarations. */
export interface Member {
  readonly name: string;
  /** The nearest declaration that carries a mark. */
  readonly node: ts.PropertyDeclaration;
  /** By name of the mark; the nearest declaration that carries it wins. */
  readonly marks: ReadonlyMap<string, Mark>;
}

/** Properties of a class that carry marks, those of its base classes first; one that is declared again stays where it was. */
export function membersOf(declaration: ts.ClassLikeDeclaration, shown: string, reading: Reading): readonly Member[] {
  const members = new Members(shown, reading);
  for (const each of reading.facts.chainOf(declaration, reading.report)) {
    reading.facts.note(each);
    for (const node of each.members) members.add(node);
  }
  return members.all();
}

/** Members that a class declares itself. */
export function ownMembersOf(declaration: ts.ClassLikeDeclaration, shown: string, reading: Reading): readonly Member[] {
  const members = new Members(shown, reading);
  for (const node of declaration.members) members.add(node);
  return members.all();
}

class Members {
  readonly #found = new Map<string, Omit<Member, 'name'>>();

  constructor(
    readonly shown: string,
    readonly reading: Reading,
  ) {}

  all(): readonly Member[] {
    return [...this.#found].map(([name, found]) => ({ name, ...found }));
  }

  add(node: ts.ClassElement): void {
    const { marks: reader, report } = this.reading;
    const parameters = ts.isConstructorDeclaration(node) ? node.parameters : [];
    for (const parameter of parameters)
      for (const mark of reader.marksOf(parameter))
        report(parameter, `@${mark.name} stands at a parameter; declare the property in the class`);
    const marks = reader.marksOf(node);
    if (marks.length === 0) return;
    if (!ts.isPropertyDeclaration(node) || isAccessorOrStatic(node)) {
      const shown = `${this.shown}.${node.name?.getText() ?? ''}`;
      report(node, `${shown} carries @${marks[0]?.name} and is no property of rows: declare a plain property`);
      return;
    }
    const name =
      ts.isComputedPropertyName(node.name) || ts.isPrivateIdentifier(node.name) ? node.name.getText() : node.name.text;
    const before = this.#found.get(name)?.marks ?? [];
    this.#found.set(name, { node, marks: new Map([...before, ...this.#byName(marks, name)]) });
  }

  #byName(marks: readonly Mark[], name: string): ReadonlyMap<string, Mark> {
    const own = new Map<string, Mark>();
    for (const mark of marks) {
      if (own.has(mark.name)) this.reading.report(mark.node, `${this.shown}.${name} carries @${mark.name} twice`);
      own.set(mark.name, mark);
    }
    return own;
  }
}

function isAccessorOrStatic(node: ts.PropertyDeclaration): boolean {
  return (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Static | ts.ModifierFlags.Accessor)) !== 0;
}
