import path from 'node:path';
import { camelCase } from '../../../plugins/orm/core/index.js';
import { fwError } from '../../../kernel/errors/index.js';
import { assertParses } from '../engine/canonical.js';
import type { GeneratorContext } from '../engine/context.js';
import { namesOf, type Names } from '../engine/names.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { withMember } from '../model/class-member.js';
import { modelFile } from '../model/read-model.js';
import type { AddedColumn } from './feature-entries.js';

/**
 * Gives a model of the project a column, unless it has it.
 *
 * @returns whether anything changed
 * @throws FwError `FW_SCHEMATIC_FLAG` for a model that is not there
 */
export async function addColumn(
  context: GeneratorContext,
  { model, column, type, options, isPrivate }: AddedColumn,
): Promise<boolean> {
  const names = namesOf(model);
  const [file, before] = await declaration(context, names);
  const property = camelCase(column);
  const after = withMember(before, names.pascal, {
    name: property,
    text: `\n  @db('${column},${options}')\n${isPrivate ? `  @json('-')\n` : ''}  ${property}!: ${type};\n`,
    imports: ['db', ...(isPrivate ? ['json'] : [])].map((name) => ({ module: 'fw/orm', name, text: name })),
  });
  if (after === before) return false;
  assertParses(file, after);
  await context.write(file, after);
  context.log(`edited ${file}: ${names.pascal}.${property}`);
  return true;
}

// Generators give each model a file; who writes them by hand may keep several in one.
async function declaration(context: GeneratorContext, names: Names): Promise<readonly [file: string, text: string]> {
  const usual = modelFile(names);
  const folder = path.posix.dirname(usual);
  const others = (await context.list(folder)).filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
  for (const file of new Set([usual, ...others])) {
    const text = await context.read(file);
    if (text !== undefined && new RegExp(`export class ${names.pascal}\\b`).test(text)) return [file, text];
  }
  const problem = `there is no model ${names.pascal} in ${folder}; generate it first, or leave the flag out`;
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: '--model', what: 'this feature', problem });
}
