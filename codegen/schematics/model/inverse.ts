import { fwError } from '../../../kernel/errors/index.js';
import type { GeneratorContext } from '../engine/context.js';
import type { Field } from '../engine/fields.js';
import { assertParses } from '../engine/canonical.js';
import { type Names, namesOf } from '../engine/names.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

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
  const after = await withInverse(before, owner, many);
  if (after === before) return;
  assertParses(file, after);
  await context.write(file, after);
  context.log(`edited ${file}: ${owner} has many ${many.pluralWords}`);
}

async function withInverse(text: string, owner: string, many: Names): Promise<string> {
  const { ts } = await import('ts-morph');
  const source = ts.createSourceFile('model.ts', text, ts.ScriptTarget.Latest, true);
  const declaration = source.statements.find((each) => ts.isClassDeclaration(each) && each.name?.text === owner);
  if (!declaration || !ts.isClassDeclaration(declaration)) return text;
  if (declaration.members.some((member) => member.name?.getText() === many.pluralCamel)) return text;
  const close = declaration.getEnd() - 1;
  const member = `\n  @hasMany(() => ${many.pascal})\n  ${many.pluralCamel}?: HasMany<${many.pascal}>;\n`;
  const imports = source.statements.filter((each) => ts.isImportDeclaration(each));
  const orm = imports.find((each) => (each.moduleSpecifier as { text?: string }).text === 'fw/orm');
  const named = orm?.importClause?.namedBindings;
  const list = named && ts.isNamedImports(named) ? named.elements : [];
  const have = new Set(list.map(({ name }) => name.text));
  const extra = ['hasMany', 'HasMany']
    .filter((name) => !have.has(name))
    .map((name) => (name === 'HasMany' ? 'type HasMany' : name));
  const last = list.at(-1)?.getEnd();
  const modelImport = `\nimport { ${many.pascal} } from './${many.kebab}.js';`;
  const importEnd = imports.at(-1)?.getEnd() ?? 0;
  // From the end backwards, so that positions stay true.
  let edited = text.slice(0, close) + member + text.slice(close);
  edited = edited.slice(0, importEnd) + modelImport + edited.slice(importEnd);
  if (last !== undefined && extra.length > 0)
    edited = `${edited.slice(0, last)}, ${extra.join(', ')}${edited.slice(last)}`;
  return edited;
}
