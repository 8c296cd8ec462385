import { camelCase } from '../../../plugins/orm/core/index.js';
import { fwError } from '../../../kernel/errors/index.js';
import { assertParses } from '../engine/canonical.js';
import type { GeneratorContext } from '../engine/context.js';
import { namesOf } from '../engine/names.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { withMember } from '../model/class-member.js';
import type { AddedColumn } from './feature-entries.js';

/**
 * Gives a model of the project a column, unless it has it.
 *
 * @returns whether anything changed
 * @throws FwError `FW_SCHEMATIC_FLAG` for a model that is not there
 */
export async function addColumn(
  context: GeneratorContext,
  { model, column, type, options }: AddedColumn,
): Promise<boolean> {
  const names = namesOf(model);
  const file = `app/models/${names.kebab}.ts`;
  const before = await context.read(file);
  if (before === undefined || !before.includes(`export class ${names.pascal}`)) {
    const problem = `there is no model ${names.pascal} in ${file}; generate it first, or leave the flag out`;
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: '--model', what: 'this feature', problem });
  }
  const property = camelCase(column);
  const after = withMember(before, names.pascal, {
    name: property,
    text: `\n  @db('${column},${options}')\n  ${property}!: ${type};\n`,
    imports: [{ module: 'fw/orm', name: 'db', text: 'db' }],
  });
  if (after === before) return false;
  assertParses(file, after);
  await context.write(file, after);
  context.log(`edited ${file}: ${names.pascal}.${property}`);
  return true;
}
