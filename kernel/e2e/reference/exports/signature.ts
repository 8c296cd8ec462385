import ts from 'typescript';
import type { Declaration } from './public-exports.js';

/** Longest initial value that is printed, in characters. */
const MOST_OF_A_VALUE = 200;

/** A declaration as its user sees it: without bodies and private members, with a comment for each member. */
export function signatureOf(declaration: Declaration, name: string): string {
  if (ts.isFunctionDeclaration(declaration)) return `function ${callable(declaration, name)};`;
  if (ts.isClassDeclaration(declaration)) return classText(declaration, name);
  if (ts.isInterfaceDeclaration(declaration)) return interfaceText(declaration);
  if (ts.isVariableStatement(declaration)) return variableText(declaration, name);
  return oneLine(withoutExport(declaration));
}

type Callable =
  ts.FunctionDeclaration | ts.MethodDeclaration | ts.MethodSignature | ts.ArrowFunction | ts.ConstructorDeclaration;

function callable(node: Callable, name: string): string {
  const generics = node.typeParameters ? `<${node.typeParameters.map(plain).join(', ')}>` : '';
  const parameters = node.parameters.map((parameter) => plain(withoutModifiers(parameter)));
  const result = node.type ? `: ${plain(node.type)}` : '';
  return `${name}${generics}(${parameters.join(', ')})${result}`;
}

// The constructor parameter `private readonly x: T` is `x: T` for a caller.
function withoutModifiers(parameter: ts.ParameterDeclaration): ts.Node {
  return parameter.modifiers?.length
    ? ts.factory.updateParameterDeclaration(
        parameter, undefined, parameter.dotDotDotToken, parameter.name, parameter.questionToken, parameter.type, parameter.initializer,
      ) // prettier-ignore
    : parameter;
}

function classText(node: ts.ClassDeclaration, name: string): string {
  const generics = node.typeParameters ? `<${node.typeParameters.map(plain).join(', ')}>` : '';
  const heritage = (node.heritageClauses ?? []).map((clause) => ` ${plain(clause)}`).join('');
  const members = node.members.filter(isPublic).flatMap((member) => told(memberText(member), member));
  return [`class ${name}${generics}${heritage} {`, ...members, '}'].join('\n');
}

function interfaceText(node: ts.InterfaceDeclaration): string {
  const generics = node.typeParameters ? `<${node.typeParameters.map(plain).join(', ')}>` : '';
  const heritage = (node.heritageClauses ?? []).map((clause) => ` ${plain(clause)}`).join('');
  const members = node.members.flatMap((member) => told(plain(member), member));
  return [`interface ${node.name.text}${generics}${heritage} {`, ...members, '}'].join('\n');
}

function told(text: string, member: ts.Node): string[] {
  if (text === '') return [];
  const words = firstSentence(commentOf(member));
  return [`  ${text.replace(/;?$/, ';')}${words === '' ? '' : ` // ${words}`}`];
}

function isPublic(member: ts.ClassElement): boolean {
  if (member.name && ts.isPrivateIdentifier(member.name)) return false;
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  return !modifiers.some(
    ({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword,
  );
}

function memberText(member: ts.ClassElement): string {
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  const kept = modifiers
    .filter(({ kind }) => kind === ts.SyntaxKind.StaticKeyword || kind === ts.SyntaxKind.ReadonlyKeyword)
    .map((modifier) => `${plain(modifier)} `)
    .join('');
  const name = member.name ? plain(member.name) : '';
  if (ts.isConstructorDeclaration(member)) return callable(member, 'constructor');
  if (ts.isMethodDeclaration(member)) return `${kept}${callable(member, name)}`;
  if (ts.isGetAccessorDeclaration(member)) return `${kept}get ${name}()${member.type ? `: ${plain(member.type)}` : ''}`;
  if (!ts.isPropertyDeclaration(member)) return '';
  const type = member.type ? `: ${plain(member.type)}` : member.initializer && arrowOf(member.initializer);
  if (type === undefined) return `${kept}${name}`;
  return typeof type === 'string' ? `${kept}${name}${type}` : `${kept}${callable(type, name)}`;
}

function variableText(statement: ts.VariableStatement, name: string): string {
  const declared = statement.declarationList.declarations.find((each) => plain(each.name) === name);
  if (!declared) return `const ${name}`;
  if (declared.type) return `const ${name}: ${plain(declared.type)};`;
  const arrow = declared.initializer && arrowOf(declared.initializer);
  if (arrow) return `function ${callable(arrow, name)};`;
  if (declared.initializer && ts.isObjectLiteralExpression(declared.initializer)) {
    const members = functionsIn(declared.initializer);
    if (members) return [`const ${name}: {`, ...members.map((member) => `  ${member};`), '};'].join('\n');
  }
  const value = declared.initializer ? plain(declared.initializer) : '';
  return `const ${name} = ${value.length <= MOST_OF_A_VALUE ? value : `${value.slice(0, MOST_OF_A_VALUE)} …`};`;
}

/** The functions that an object holds together; undefined when it holds anything else. */
function functionsIn({ properties }: ts.ObjectLiteralExpression): readonly string[] | undefined {
  const texts = properties.map((property) => {
    if (ts.isMethodDeclaration(property)) return callable(property, plain(property.name));
    if (ts.isPropertyAssignment(property)) {
      const arrow = arrowOf(property.initializer);
      return arrow && callable(arrow, plain(property.name));
    }
    if (!ts.isShorthandPropertyAssignment(property)) return undefined;
    const declared = property
      .getSourceFile()
      .statements.find((each) => ts.isFunctionDeclaration(each) && each.name?.text === property.name.text);
    return declared && callable(declared as ts.FunctionDeclaration, property.name.text);
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function arrowOf(node: ts.Expression): ts.ArrowFunction | undefined {
  return ts.isArrowFunction(node) ? node : undefined;
}

const printer = ts.createPrinter({ removeComments: true });

function plain(node: ts.Node): string {
  const source = node.getSourceFile() ?? ts.getOriginalNode(node).getSourceFile();
  return oneLine(printer.printNode(ts.EmitHint.Unspecified, node, source));
}

function withoutExport(node: ts.TypeAliasDeclaration | ts.EnumDeclaration): string {
  return plain(node).replace(/^export (declare )?/, '');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** What a comment says, and its tags. */
export interface Comment {
  readonly text: string;
  readonly tags: readonly { readonly name: string; readonly text: string }[];
}

/** The documentation comment right above a declaration. */
export function commentOf(node: ts.Node): Comment {
  const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
  if (!comment) return { text: '', tags: [] };
  const tags = (comment.tags ?? []).map((tag) => {
    const name = tag.tagName.text;
    const words = wordsIn(tag.comment);
    return { name, text: ts.isJSDocParameterTag(tag) ? `\`${tag.name.getText()}\` ${words}` : words };
  });
  return { text: wordsIn(comment.comment), tags };
}

function wordsIn(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  const text = typeof comment === 'string' ? comment : (ts.getTextOfJSDocComment(comment) ?? '');
  return text.replace(/\{@link (\S+?)\}/g, '`$1`').trim();
}

function firstSentence({ text }: Comment): string {
  return /^[\s\S]*?[.;:](?=\s|$)/.exec(text)?.[0].replace(/\s+/g, ' ').replace(/[;:]$/, '.') ?? oneLine(text);
}
