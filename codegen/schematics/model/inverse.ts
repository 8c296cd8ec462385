import { fwError } from '../../../kernel/errors/index.js';
import { singular, snakeCase, tableNameOf } from '../../../plugins/orm/core/index.js';
import type { GeneratorContext } from '../engine/context.js';
import type { Field } from '../engine/fields.js';
import { assertParses } from '../engine/canonical.js';
import { type Names, namesOf } from '../engine/names.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { withMember } from './class-member.js';

/**
 * Checks that the target model of every relation exists. A relation to the model itself has to be nullable, because otherwise its first row
 * could not be written.
 *
 * @param owner - class with the fields
 * @throws FwError `FW_SCHEMATIC_FIELD`
 */
export async function assertModels(owner: string, fields: readonly Field[], context: GeneratorContext): Promise<void> {
  for (const { relation, nullable } of fields) {
    if (!relation || (relation.model === owner && nullable)) continue;
    if (relation.model === owner) {
      throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FIELD, {
        field: `${relation.property}:${owner}`,
        problem: 'the first row would need a row before it; a relation of a model to itself must be nullable',
        example: `${relation.property}:${owner}?`,
      });
    }
    const file = `app/models/${namesOf(relation.model).kebab}.ts`;
    if ((await context.read(file))?.includes(`export class ${relation.model}`)) continue;
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FIELD, {
      field: `${relation.property}:${relation.model}`,
      problem: `there is no model ${relation.model} in ${file}; generate it first`,
      example: 'name:string',
    });
  }
}

/**
 * Adds `@hasMany(() => Order) orders?: HasMany<Order>` to the model that an `Order` belongs to. The file keeps its layout and comments,
 * because text is inserted without reprinting the rest.
 */
export async function addInverse(owner: string, many: Names, context: GeneratorContext): Promise<void> {
  const file = `app/models/${namesOf(owner).kebab}.ts`;
  const before = await context.read(file);
  // A relation of a model to itself gets no inverse.
  if (before === undefined || owner === many.pascal) return;
  const after = withMember(before, owner, {
    name: many.pluralCamel,
    text: `\n  @hasMany(() => ${many.pascal}${keyOption(owner, before)})\n  ${many.pluralCamel}?: HasMany<${many.pascal}>;\n`,
    imports: [
      { module: 'fw/orm', name: 'hasMany', text: 'hasMany' },
      { module: 'fw/orm', name: 'HasMany', text: 'type HasMany' },
      { module: `./${many.kebab}.js`, name: many.pascal, text: many.pascal },
    ],
  });
  if (after === before) return;
  assertParses(file, after);
  await context.write(file, after);
  context.log(`edited ${file}: ${owner} has many ${many.pluralWords}`);
}

// The ORM derives the key's name from the table, whose singular may differ from the class: houses, people.
function keyOption(owner: string, source: string): string {
  const [, table = tableNameOf(owner)] = /@table\(\s*['"`]([\w.]+)['"`]/.exec(source) ?? [];
  const key = `${snakeCase(owner)}_id`;
  return key === `${singular(table)}_id` ? '' : `, { fk: '${key}' }`;
}
