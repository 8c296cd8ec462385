import { Command } from 'commander';
import { asksForHelp, freeFlags } from './free-flags.js';
import { generateClientCommand } from './generate-client.js';

/** `fw generate`: writes code that a person edits afterwards. */
export function generateCommand(finish: (exitCode: number) => void): Command {
  return (
    new Command('generate')
      .alias('g')
      .description('Generate a resource, model, handler, event, job, ...; without arguments, list the kinds')
      // The flags are those of the kind.
      .helpOption(false)
      .argument('[kind]')
      .argument('[rest...]', 'the name, fields such as email:string:email,unique, and flags of the kind')
      .allowUnknownOption()
      .addCommand(generateClientCommand(finish))
      .action(async (kind: string | undefined, rest: readonly string[]) => finish(await generateInto(kind, rest)))
  );
}

async function generateInto(kind: string | undefined, rest: readonly string[]): Promise<number> {
  const { applyToProject, generate, projectRoot, SCHEMATICS } = await import('../../codegen/schematics/index.js');
  if (kind === undefined || asksForHelp([kind, ...rest])) {
    const asked = SCHEMATICS.filter((each) => each.kind === kind);
    process.stdout.write(kindTable(asked.length > 0 ? asked : SCHEMATICS));
    return 0;
  }
  const flagsOfKind = SCHEMATICS.find((each) => each.kind === kind)?.flags ?? [];
  const { words, flags } = freeFlags(
    rest,
    (name) => name === DRY_RUN || flagsOfKind.find((flag) => flag.name === name)?.type === 'boolean',
  );
  const { [DRY_RUN]: dryRun = false, ...own } = flags;
  const [name = '', ...fields] = words;
  const applied = await applyToProject(
    projectRoot(process.cwd()),
    printLine,
    (context) => generate({ kind, name, fields, flags: own }, context),
    { dryRun: dryRun === true },
  );
  return reportApplied(applied, dryRun === true);
}

/** Flag of `fw generate` and `fw add`: prints what would be written, and writes nothing. */
export const DRY_RUN = 'dry-run';

/** Prints a line of a generator. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

interface Applied {
  readonly files: readonly { readonly path: string; readonly change: string }[];
  readonly generated: readonly string[];
  readonly problems: readonly string[];
}

/** Prints what code generation did after a change, or what a dry run would have changed. @returns exit code */
export function reportApplied({ files, generated, problems }: Applied, dryRun: boolean): number {
  if (dryRun) {
    for (const { path, change } of files) printLine(`${WOULD[change] ?? change} ${path}`);
    printLine(files.length === 0 ? 'nothing would change' : 'nothing was written: this was a dry run');
  }
  for (const file of generated) process.stdout.write(`generated ${file}\n`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

const WOULD: Readonly<Record<string, string>> = {
  created: 'would write',
  modified: 'would edit',
  deleted: 'would delete',
};

interface Kind {
  readonly kind: string;
  readonly summary: string;
  readonly flags: readonly { readonly name: string; readonly usage: string }[];
}

function kindTable(kinds: readonly Kind[]): string {
  const rows = kinds.flatMap(({ kind, summary, flags }) => [
    `${kind.padEnd(12)}${summary}`,
    ...flags.map(({ name, usage }) => `  --${name.padEnd(12)}${usage}`),
  ]);
  const usage =
    'fw generate <kind> <Name> [field:type[:rules]...] [flags]\n  --dry-run     print what would be written';
  return `${usage}\n\n${rows.join('\n')}\n`;
}
