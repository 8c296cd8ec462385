import { fwError } from '../../../kernel/errors/index.js';
import { singular, snakeCase, tableNameOf } from '../../../plugins/orm/core/index.js';
import type { GeneratorContext } from '../engine/context.js';
import type { Field } from '../engine/fields.js';
import { assertParses } from '../engine/canonical.js';
import { type Names, namesOf } from '../engine/names.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { withMember } from './class-member.js';

/**
 * Makes sure that every model that the fields lead to is there. A model may lead to itself, but not have to: its first row could
 * not be written.
 *
 * @param owner - class that has the fields
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
 * Adds `@hasMany(() => Order) orders?: HasMany<Order>` to the model that an `Order` belongs to. Its file keeps its layout and
 * comments: text is inserted and nothing printed anew.
 */
export async function addInverse(owner: string, many: Names, context: GeneratorContext): Promise<void> {
  const file = `app/models/${namesOf(owner).kebab}.ts`;
  const before = await context.read(file);
  // A model that belongs to its own kind says the other side itself, if it wants one.
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

// The ORM makes the key's name from the table, whose singular may be another word than the class: houses, people.
function keyOption(owner: string, source: string): string {
  const [, table = tableNameOf(owner)] = /@table\(\s*['"`]([\w.]+)['"`]/.exec(source) ?? [];
  const key = `${snakeCase(owner)}_id`;
  return key === `${singular(table)}_id` ? '' : `, { fk: '${key}' }`;
}
