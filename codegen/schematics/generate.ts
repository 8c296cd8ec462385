import { fwError } from '../../kernel/errors/index.js';
import type { GeneratorContext } from './engine/context.js';
import { namesOf } from './engine/names.js';
import { readConfig } from './engine/project.js';
import type { FlagValue, Schematic, SchematicRequest } from './engine/schematic.js';
import { SCHEMATICS_ERRORS } from './errors.js';
import { REFUSED_KINDS, SCHEMATICS } from './kinds.js';

/** Request to `fw generate`. */
interface GenerateRequest {
  readonly kind: string;
  /** An identifier that starts with a capital; left out for kinds of which a project has only one. */
  readonly name?: string;
  /** `name:type` or `name:type:rules`. */
  readonly fields?: readonly string[];
  /** An undefined flag counts as left out, but has to be a flag of the kind. */
  readonly flags?: Readonly<Record<string, FlagValue | undefined>>;
}

/**
 * Generates one thing into a project. Writes wait in the context until the caller commits.
 *
 * @throws FwError `FW_SCHEMATIC_*`
 */
export async function generate(
  { kind, name = '', fields = [], flags = {} }: GenerateRequest,
  context: GeneratorContext,
): Promise<void> {
  const schematic = schematicOf(kind.trim().toLowerCase());
  if (!schematic.takesFields && fields.length > 0) {
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FIELDS, { kind: schematic.kind, fields });
  }
  if (schematic.takesName === false && name.trim() !== '') {
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NAME, { name, expected: `no name for the kind ${schematic.kind}` });
  }
  const checked = checkedFlags(schematic, flags);
  const request: SchematicRequest = {
    names: namesOf(schematic.takesName === false ? 'Project' : name.trim(), String(checked['plural'] ?? '')),
    fields,
    text: (flag) => String(checked[flag] ?? '').trim(),
    on: (flag) => checked[flag] === true,
  };
  await readConfig(context);
  await schematic.run(request, context);
}

function schematicOf(kind: string): Schematic {
  const schematic = SCHEMATICS.find((each) => each.kind === kind);
  if (schematic) return schematic;
  const known = SCHEMATICS.map((each) => each.kind);
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_KIND, { kind, reason: REFUSED_KINDS.get(kind) ?? '', known });
}

function checkedFlags(
  { kind, flags: specs }: Schematic,
  given: Readonly<Record<string, FlagValue | undefined>>,
): Readonly<Record<string, FlagValue>> {
  const checked: Record<string, FlagValue> = {};
  const refuse = (name: string, problem: string) =>
    fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: `--${name}`, what: kind, problem });
  for (const [name, value] of Object.entries(given)) {
    const spec = specs.find((each) => each.name === name);
    if (!spec) throw refuse(name, `there is no such flag; flags: ${specs.map((each) => each.name).join(', ')}`);
    if (value === undefined) continue;
    if (spec.type === 'boolean' && typeof value !== 'boolean')
      throw refuse(name, `it takes no value, but got ${JSON.stringify(value)}`);
    if (spec.type === 'string' && typeof value === 'boolean') throw refuse(name, 'it needs a value');
    checked[name] = value;
  }
  return checked;
}
