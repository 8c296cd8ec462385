import { type Static, Type } from '../../../kernel/index.js';
import { Integer, optional, Text } from '../../../kernel/schema/index.js';
import type { AppliedChanges, GeneratorContext } from '../../../codegen/schematics/index.js';
import { oneAtATime } from './project-lock.js';

/** A file that a call changed. */
export const Change = Type.Object({
  path: Type.String({ description: 'relative to the project' }),
  change: Type.Union([Type.Literal('created'), Type.Literal('modified'), Type.Literal('deleted')]),
  bytes: optional(Integer),
});
export type Change = Static<typeof Change>;

/** Output of every generating tool. */
export const Generated = {
  files: Type.Array(Change),
  generated: Type.Array(Text, { description: 'files that fw codegen wrote afterwards' }),
  problems: Type.Array(Text, { description: 'what fw codegen found wrong; empty when all is well' }),
  output: Type.Array(Text, { description: 'what the generator says, line by line' }),
};

/** What a generator has done to a project in its turn, and what it said. */
export async function appliedTo<Result>(root: string, work: (project: GeneratorContext) => Promise<Result>) {
  const { applyToProject } = await import('../../../codegen/schematics/index.js');
  const output: string[] = [];
  const applied = await oneAtATime(root, () => applyToProject(root, (line) => output.push(line), work));
  return { applied, output };
}

/** The structured result that fw_generate and fw_add share. */
export function generatedPart({ files, generated, problems }: AppliedChanges<unknown>, output: readonly string[]) {
  return { files, generated, problems, output };
}

/** The next call to make, for the summary. */
export function nextCall(problems: readonly string[]): string {
  return problems.length === 0
    ? 'Call fw_verify_project to check types, lint and tests.'
    : `fw codegen found ${problems.length} problem(s): ${problems[0] ?? ''}`;
}
