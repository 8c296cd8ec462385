import type { Field } from '../engine/fields.js';
import { withArticle } from '../engine/article.js';
import { ormTypesOf, typeText } from '../engine/field-text.js';
import { namesOf } from '../engine/names.js';
import type { ModelRequest } from './index.js';

/** Source of a model class. */
export function modelText({ names, fields, table, timestamps }: ModelRequest): string {
  const related = [...new Set(fields.flatMap(({ relation }) => relation?.model ?? []))].filter(
    (model) => model !== names.pascal,
  );
  const imports = related.map((model) => `import { ${model} } from './${namesOf(model).kebab}.js';\n`).join('');
  return `import { ${ormImports(fields).join(', ')} } from 'fw/orm';
${imports}
/** ${sentence(names.words)} */
@table('${table}')
export class ${names.pascal} {
  @db('id,pk,autoincrement')
  id!: Int;
${fields.map(fieldText).join('')}${timestamps ? TIMESTAMPS : ''}${fields.map(relationText).join('')}}
`;
}

const TIMESTAMPS = `
  @db('created_at,filled=create,default=now')
  createdAt!: Date;

  @db('updated_at,filled=update,default=now')
  updatedAt!: Date;
`;

function sentence(words: string): string {
  const said = withArticle(words);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

function ormImports(fields: readonly Field[]): readonly string[] {
  const hasRelation = fields.some(({ relation }) => relation);
  const hidden = fields.some((field) => field.hidden);
  const validated = fields.some((field) => rulesText(field) !== '');
  const values = [
    'db',
    'table',
    ...(hasRelation ? ['belongsTo'] : []),
    ...(hidden ? ['json'] : []),
    ...(validated ? ['validate'] : []),
  ];
  const types = [...new Set(['Int', ...ormTypesOf(fields), ...(hasRelation ? ['BelongsTo'] : [])])];
  return [...values, ...types.map((name) => `type ${name}`)].sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
}

const bare = (name: string): string => name.replace('type ', '').toLowerCase();

function fieldText(field: Field): string {
  const rules = rulesText(field);
  const validate = rules === '' ? '' : `  @validate('${rules}')\n`;
  return `
  @db('${columnText(field)}')
${jsonText(field)}${validate}  ${declaration(field)};
`;
}

function jsonText({ hidden, property }: Field): string {
  if (!hidden) return '';
  return hidden === 'private' ? `  @json('-')\n` : `  @json('${property},writeonly')\n`;
}

function declaration(field: Field): string {
  const { property, nullable, hidden } = field;
  // Optional, because rows are read without it.
  if (hidden === 'writeonly') return `${property}?: ${typeText(field)}`;
  return nullable ? `${property}: ${typeText(field)} = null` : `${property}!: ${typeText(field)}`;
}

function columnText({ column, unique, index, relation }: Field): string {
  return [column, ...(unique ? ['unique'] : []), ...(index || (relation && !unique) ? ['index'] : [])].join(',');
}

function rulesText({ required, email, min, max, kind, relation }: Field): string {
  if (kind === 'enum' || relation) return '';
  return [
    ...(required ? ['required'] : []),
    ...(email ? ['email'] : []),
    ...(min === undefined ? [] : [`min=${min}`]),
    ...(max === undefined ? [] : [`max=${max}`]),
  ].join(',');
}

function relationText({ relation, property }: Field): string {
  if (!relation) return '';
  const conventional = property === `${namesOf(relation.model).camel}Id`;
  const key = conventional ? '' : `, { fk: '${property}' }`;
  return `
  @belongsTo(() => ${relation.model}${key})
  ${relation.property}?: BelongsTo<${relation.model}>;
`;
}
