import { ts } from 'ts-morph';
import { type Import, importsOf, inserted, missingImports } from '../engine/imports.js';

/** A member of a class, as text. */
export interface Member {
  readonly name: string;
  readonly text: string;
  /** Names that the text uses. */
  readonly imports: readonly Import[];
}

/**
 * Adds a member at the end of a class, and imports for it. The file keeps its layout and comments, because text is inserted without
 * reprinting the rest. It is unchanged if the class does not exist or has such a member.
 */
export function withMember(text: string, owner: string, member: Member): string {
  const source = parsed(text);
  const declaration = classNamed(source, owner);
  if (!declaration || declaration.members.some(({ name }) => name?.getText() === member.name)) return text;
  const own = { at: declaration.getEnd() - 1, text: member.text };
  return inserted(text, [own, ...missingImports(source, member.imports, [owner])]);
}

const OTHER_SIDES = new Set(['hasMany', 'hasOne', 'manyToMany']);

/**
 * Members of a class for relations whose key is in another table. They do not come from the fields of the model: generators of other models
 * added them, or a person wrote them.
 */
export function otherSides(text: string, owner: string): readonly Member[] {
  const source = parsed(text);
  const imports = importsOf(source);
  return (classNamed(source, owner)?.members ?? []).flatMap((member) => {
    if (!ts.isPropertyDeclaration(member) || !isOtherSide(member)) return [];
    // Includes the comments before it.
    const written = member.getFullText().replace(/^\s*\n/, '');
    const used = imports.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(written));
    return [{ name: member.name.getText(), text: `\n${written}\n`, imports: used }];
  });
}

/** Models that a class belongs to. */
export function targetsOf(text: string, owner: string): readonly string[] {
  return (classNamed(parsed(text), owner)?.members ?? []).flatMap((member) =>
    ts.isPropertyDeclaration(member)
      ? decoratorsOf(member, new Set(['belongsTo'])).flatMap((call) => /=>\s*(\w+)/.exec(call.getText())?.[1] ?? [])
      : [],
  );
}

const isOtherSide = (member: ts.PropertyDeclaration): boolean => decoratorsOf(member, OTHER_SIDES).length > 0;

function decoratorsOf(member: ts.PropertyDeclaration, names: ReadonlySet<string>): readonly ts.CallExpression[] {
  return (ts.getDecorators(member) ?? []).flatMap(({ expression }) =>
    ts.isCallExpression(expression) && names.has(expression.expression.getText()) ? [expression] : [],
  );
}

const parsed = (text: string): ts.SourceFile => ts.createSourceFile('model.ts', text, ts.ScriptTarget.Latest, true);

function classNamed(source: ts.SourceFile, name: string): ts.ClassDeclaration | undefined {
  return source.statements.filter((each) => ts.isClassDeclaration(each)).find((each) => each.name?.text === name);
}
