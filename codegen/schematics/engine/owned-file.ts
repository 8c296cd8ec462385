import { fwError } from '../../../kernel/errors/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { assertParses } from './canonical.js';
import type { GeneratorContext } from './context.js';

const HEADER = /^\/\/ Made by `fw generate ([a-z]+)`; yours to edit\.$/;
const HEADER_LINES = 5;

/** The kind that made a file, from its first lines; undefined for a file that a person wrote. */
export function ownerOf(text: string): string | undefined {
  for (const line of text.split('\n').slice(0, HEADER_LINES)) {
    const owner = HEADER.exec(line.trim())?.[1];
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/**
 * Writes a file that is generated once and then belongs to the person.
 *
 * @param force - overwrites what the same generator made, or a person wrote; never what another generator made
 * @throws FwError `FW_SCHEMATIC_EXISTS`, `FW_SCHEMATIC_SYNTAX`
 */
export async function writeOwned(
  context: GeneratorContext,
  kind: string,
  file: string,
  source: string,
  force: boolean,
): Promise<void> {
  const present = await context.read(file);
  if (present !== undefined) refuse(file, kind, ownerOf(present), force);
  const text = `// Made by \`fw generate ${kind}\`; yours to edit.\n${source.trimStart()}`;
  assertParses(file, text);
  await context.write(file, text);
  context.log(`${present === undefined ? 'wrote' : 'overwrote'} ${file}`);
}

function refuse(file: string, kind: string, owner: string | undefined, force: boolean): void {
  const other = owner !== undefined && owner !== kind;
  if (force && !other) return;
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_EXISTS, {
    file,
    owner: owner === undefined ? 'was written by hand' : `was made by \`fw generate ${owner}\``,
    remedy: other ? 'Choose another name, or delete it first.' : 'Repeat with force to overwrite it.',
  });
}
