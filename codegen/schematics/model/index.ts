import { fwError } from '../../../kernel/errors/index.js';
import { isIdentifier, tableNameOf } from '../../../plugins/orm/core/index.js';
import { sourceOf } from '../../engine/banner.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import type { GeneratorContext } from '../engine/context.js';
import { type Field, type Hidden, parseFields } from '../engine/fields.js';
import { type Names, namesOf } from '../engine/names.js';
import { writeOwned } from '../engine/owned-file.js';
import { assertPlugin } from '../engine/project.js';
import { booleanFlag, FORCE, PLURAL, type Schematic, textFlag } from '../engine/schematic.js';
import { otherSides, targetsOf, withMember } from './class-member.js';
import { addInverse, assertModels } from './inverse.js';
import { modelText } from './model-text.js';
import { modelFile, type ModelFiles, withRelatedKeys } from './read-model.js';

export { modelFile };

/** Request to write a model. */
export interface ModelRequest {
  readonly names: Names;
  readonly fields: readonly Field[];
  readonly table: string;
  readonly timestamps: boolean;
  readonly force: boolean;
}

/** The names and the file of a model, from the name of its class. */
export function placeOfModel(model: string): { readonly names: Names; readonly file: string } {
  const names = namesOf(model);
  return { names, file: modelFile(names) };
}

/**
 * Refuses a model whose class is in another file than the one that generators use, according to generated code.
 *
 * @throws FwError `FW_SCHEMATIC_EXISTS`
 */
async function assertOnlyPlace(names: Names, context: ModelFiles): Promise<void> {
  const usual = modelFile(names);
  const generated = await context.read(`generated/${names.kebab}.ts`);
  const file = generated === undefined ? undefined : sourceOf(generated);
  if (file === undefined || file === usual || (await context.read(file)) === undefined) return;
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_EXISTS, {
    file,
    owner: `declares the model ${names.pascal}`,
    remedy: `Generators look for it in ${usual}: move it there, or write the code by hand.`,
  });
}

/** Writes the class of a model, and the inverse of its relations into their target models. */
export async function writeModel(request: ModelRequest, context: GeneratorContext): Promise<void> {
  const { names, force } = request;
  await assertOnlyPlace(names, context);
  await assertModels(names.pascal, request.fields, context);
  const fields = await withRelatedKeys(request.fields, placeOfModel, context);
  const before = await context.read(modelFile(names));
  const kept = before === undefined ? [] : otherSides(before, names.pascal);
  const text = kept.reduce(
    (written, member) => withMember(written, names.pascal, member),
    modelText({ ...request, fields }),
  );
  await writeOwned(context, 'model', modelFile(names), text, force);
  for (const { property, hidden } of fields) if (hidden) context.log(hiddenText(names.pascal, property, hidden));
  if (before !== undefined) await sayWhatLeadsNowhere(before, text, names, context);
  for (const { relation } of fields) {
    // Only for the conventional key: with two relations to the same model, neither is "the" inverse.
    if (relation && relation.property === namesOf(relation.model).camel)
      await addInverse(relation.model, names, context);
  }
}

function hiddenText(model: string, property: string, hidden: Hidden): string {
  return hidden === 'private'
    ? `${model}.${property} is private (@json('-')): code reads it, and it is in no answer, log or document`
    : `${model}.${property} is writeonly: clients send it, rows are read and sent without it, and code that needs it selects it; it is stored as it is sent: hash what must not be`;
}

// The inverse of a removed relation is in a file that the generator does not own, so it is only reported.
async function sayWhatLeadsNowhere(before: string, after: string, names: Names, context: GeneratorContext) {
  const left = new Set(targetsOf(after, names.pascal));
  for (const model of targetsOf(before, names.pascal).filter((each) => !left.has(each))) {
    const file = modelFile(namesOf(model));
    const leading = otherSides((await context.read(file)) ?? '', model).filter(({ text }) =>
      text.includes(`=> ${names.pascal})`),
    );
    for (const { name } of leading)
      context.log(`note: ${names.pascal} leads to no ${model} any more: take ${name} out of ${file}`);
  }
}

/** Flag: whether a new model has timestamps. */
export const TIMESTAMPS = booleanFlag('timestamps', 'columns created_at and updated_at, which the ORM fills');

export const modelSchematic: Schematic = {
  kind: 'model',
  summary: 'a model class; fw codegen makes its accessors, scanner and schema',
  flags: [FORCE, PLURAL, textFlag('table', 'table name; default the plural in snake case'), TIMESTAMPS],
  takesFields: true,
  async run({ names, fields, text, on }, context) {
    await assertPlugin(context, 'fw/orm', 'A model', 'orm');
    assertTable(text('table'), 'kind model');
    const table = text('table') || (text('plural') ? names.plural : '');
    await writeModel(
      {
        names,
        fields: parseFields(fields),
        table: table === '' ? tableNameOf(names.pascal) : checkedTable(table),
        timestamps: on('timestamps'),
        force: on('force'),
      },
      context,
    );
    context.log(`next: fw generate resource ${names.pascal} makes routes for it`);
  },
};

/**
 * Refuses an invalid table name; an empty one means the default.
 *
 * @throws FwError `FW_SCHEMATIC_FLAG`
 */
export function assertTable(table: string, what: string): void {
  if (table === '' || isIdentifier(table)) return;
  const problem = `${JSON.stringify(table)} is no name of a table: letters, digits and underscores`;
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: '--table', what, problem });
}

function checkedTable(table: string): string {
  const name = /[A-Z]/.test(table) ? tableNameOf(table).replace(/s$/, '') : table;
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}
