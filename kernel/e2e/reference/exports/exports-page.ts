import ts from 'typescript';
import type { Declaration, PublicExport } from './public-exports.js';
import { commentOf, signatureOf } from './signature.js';

/** The pages of the modules by the names of their files: `fw-orm-schema.md`. */
export function exportsPages(exports: readonly PublicExport[]): ReadonlyMap<string, string> {
  const modules = [...new Set(exports.map(({ module }) => module))].sort();
  const pages = modules.map((module) => {
    const own = exports.filter((each) => each.module === module);
    return [`${module.replaceAll('/', '-')}.md`, page(module, own)] as const;
  });
  return new Map(pages);
}

function page(module: string, exports: readonly PublicExport[]): string {
  const sorted = [...exports].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    `# Exports of \`${module}\``,
    '',
    'Generated from the sources by `npm run docs`; do not edit.',
    '',
    ...sorted.flatMap(section),
  ].join('\n');
}

function section({ name, module, also, declarations, origin }: PublicExport): string[] {
  const comments = declarations.map(commentOf);
  const texts = [...new Set(comments.map(({ text }) => text).filter((text) => text !== ''))];
  const tags = comments.flatMap(({ tags }) => tags);
  const onlyType = declarations.length > 0 && declarations.every(isType);
  // The signature of an implementation with overloads cannot be called.
  const shown = declarations.length > 1 ? declarations.filter((each) => !('body' in each) || !each.body) : declarations;
  const signatures = (shown.length > 0 ? shown : declarations).map((each) => signatureOf(each, name));
  const code = [`import ${onlyType ? 'type ' : ''}{ ${name} } from '${module}';`, ...signatures];
  return [
    `## ${name}`,
    '',
    '```ts',
    ...code,
    '```',
    '',
    ...(origin === undefined
      ? []
      : [`Handed on from the package \`${origin}\`, whose documentation describes it.`, '']),
    ...texts.flatMap((text) => [text, '']),
    ...listOf(tags),
    ...examplesOf(tags),
    ...declarations.flatMap((each) => memberExamples(each, name)),
    ...(also.length === 0 ? [] : [`Also exported by ${also.map((each) => `\`${each}\``).join(', ')}.`, '']),
  ];
}

function memberExamples(declaration: Declaration, owner: string): string[] {
  if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return [];
  return [...declaration.members].flatMap((member) => {
    const examples = examplesOf(commentOf(member).tags);
    if (examples.length === 0 || !member.name || !ts.isIdentifier(member.name)) return [];
    return [`Example of \`${owner}.${member.name.text}\`:`, '', ...examples];
  });
}

function isType(declaration: Declaration): boolean {
  return ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
}

const LISTED = ['param', 'returns', 'throws', 'deprecated', 'see'];

type Tags = readonly { readonly name: string; readonly text: string }[];

function listOf(tags: Tags): string[] {
  const rows = tags
    .filter(({ name }) => LISTED.includes(name))
    .map(({ name, text }) => `- ${name === 'param' ? '' : `${name}: `}${text.replace(/\s+/g, ' ')}`);
  return rows.length === 0 ? [] : [...new Set(rows), ''];
}

function examplesOf(tags: Tags): string[] {
  return tags
    .filter(({ name }) => name === 'example')
    .flatMap(({ text }) => (text.includes('```') ? [text, ''] : ['```ts', text, '```', '']));
}
