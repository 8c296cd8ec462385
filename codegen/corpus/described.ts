import type { ColumnSource, ModelSource, RelationSource } from '../orm/model-source.js';

/** Models as lines that a person compares: a model, its columns in their order, its relations. */
export function described(models: readonly ModelSource[]): string {
  return models.map((model) => [`${model.name} ${model.table}`, ...linesOf(model)].join('\n')).join('\n');
}

function linesOf({ columns, relations, checks, indexes, databases }: ModelSource): string[] {
  return [
    ...columns.map((column) => `  ${columnLine(column)}`),
    ...relations.map((relation) => `  ${relationLine(relation)}`),
    ...Object.entries(checks).map(([name, sql]) => `  check ${name}: ${sql}`),
    ...databases.map((name) => `  database ${name}`),
    ...indexes.map(({ columns: of = [], expressions = [], where, unique }) => {
      const condition = where === undefined ? '' : ` where ${where}`;
      return `  ${unique ? 'unique ' : ''}index ${[...of, ...expressions].join(', ')}${condition}`;
    }),
  ];
}

function typeText({ kind, temporal, element }: Pick<ColumnSource, 'kind' | 'temporal' | 'element'>, listed: string) {
  if (temporal) return `Temporal.${temporal}`;
  if (kind === 'array') return `${element}[]${listed}`;
  return kind === 'enum' ? `${kind}${listed}` : kind;
}

function columnLine({
  property,
  optional,
  tag,
  kind,
  temporal,
  nullable,
  values,
  element,
  rules,
  json,
}: ColumnSource): string {
  const listed = values === undefined ? '' : `(${values.join('|')})`;
  const type = typeText({ kind, temporal, element }, listed);
  const flags = [
    tag.primaryKey && 'pk',
    tag.autoincrement && 'autoincrement',
    tag.generated && (tag.expression === undefined ? 'generated' : `generated=${tag.expression}`),
    tag.virtual && 'virtual',
    tag.unique && 'unique',
    tag.index && 'index',
    tag.version && 'version',
    tag.filled && (tag.filledOn === undefined ? 'filled' : `filled=${tag.filledOn}`),
    tag.enumAs && `enum=${tag.enumAs}`,
    tag.default !== undefined && `default=${tag.default}`,
    rules.length > 0 && `rules=${rules.map(({ rule }) => rule).join(',')}`,
    json && `json=${json.excluded ? '-' : `${json.name}${json.writeOnly ? ',writeonly' : ''}`}`,
    tag.column !== property && `as ${tag.column}`,
  ].filter((flag) => flag !== false && flag !== undefined);
  return [`${property}${optional ? '?' : ''}`, `${type}${nullable ? ' null' : ''}`, ...flags].join(' ');
}

function relationLine({ property, kind, target, options }: RelationSource): string {
  const given = Object.entries(options).map(([name, value]) => ` ${name}=${String(value)}`);
  return `${property} ${kind} ${target}${given.join('')}`;
}
