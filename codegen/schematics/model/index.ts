import { tableNameOf } from '../../../plugins/orm/core/index.js';
import type { GeneratorContext } from '../engine/context.js';
import { type Field, parseFields } from '../engine/fields.js';
import { type Names, namesOf } from '../engine/names.js';
import { writeOwned } from '../engine/owned-file.js';
import { assertPlugin } from '../engine/project.js';
import { booleanFlag, FORCE, PLURAL, type Schematic, textFlag } from '../engine/schematic.js';
import { otherSides, targetsOf, withMember } from './class-member.js';
import { addInverse, assertModels } from './inverse.js';
import { modelText } from './model-text.js';

/** How to write a model. */
export interface ModelRequest {
  readonly names: Names;
  readonly fields: readonly Field[];
  readonly table: string;
  readonly timestamps: boolean;
  readonly force: boolean;
}

/** File of a model. */
export const modelFile = ({ kebab }: Names): string => `app/models/${kebab}.ts`;

/** Writes the class of a model, and the other side of its relations into the models that they lead to. */
export async function writeModel(request: ModelRequest, context: GeneratorContext): Promise<void> {
  const { names, fields, force } = request;
  await assertModels(names.pascal, fields, context);
  const before = await context.read(modelFile(names));
  const kept = before === undefined ? [] : otherSides(before, names.pascal);
  const text = kept.reduce((written, member) => withMember(written, names.pascal, member), modelText(request));
  await writeOwned(context, 'model', modelFile(names), text, force);
  if (before !== undefined) await sayWhatLeadsNowhere(before, text, names, context);
  for (const { relation } of fields) {
    // Only by the conventional key: of two ways to the same model, neither is "the" other side.
    if (relation && relation.property === namesOf(relation.model).camel)
      await addInverse(relation.model, names, context);
  }
}

// The other side of a relation that is no more stands in a file that is not the generator's to take from.
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

export const modelSchematic: Schematic = {
  kind: 'model',
  summary: 'a model class; fw codegen makes its accessors, scanner and schema',
  flags: [
    FORCE,
    PLURAL,
    textFlag('table', 'table name; default the plural in snake case'),
    booleanFlag('timestamps', 'columns created_at and updated_at'),
  ],
  takesFields: true,
  async run({ names, fields, text, on }, context) {
    await assertPlugin(context, 'fw/orm', 'A model', 'orm');
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

function checkedTable(table: string): string {
  const name = /[A-Z]/.test(table) ? tableNameOf(table).replace(/s$/, '') : table;
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}
