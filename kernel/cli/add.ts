import { Command } from 'commander';
import { freeFlags } from './free-flags.js';
import { DRY_RUN, printLine, reportApplied } from './generate.js';

/** `fw add`: wires a feature into app.config.ts. */
export function addCommand(finish: (exitCode: number) => void): Command {
  return new Command('add')
    .description('Wire a feature of the framework into app.config.ts; without arguments, list the features')
    .argument('[feature]')
    .argument('[flags...]', 'flags of the feature, --force, and --dry-run, which prints what would be written')
    .allowUnknownOption()
    .action(async (feature: string | undefined, rest: readonly string[]) => finish(await add(feature, rest)));
}

async function add(feature: string | undefined, rest: readonly string[]): Promise<number> {
  const { FEATURES, findFeature } = await import('../../plugins/tools/introspection/index.js');
  if (feature === undefined) {
    process.stdout.write(FEATURES.map(({ name, summary }) => `${name.padEnd(14)}${summary}\n`).join(''));
    return 0;
  }
  const specs = findFeature(feature.toLowerCase())?.flags ?? [];
  const { words, flags } = freeFlags(
    rest,
    (name) => name === 'force' || name === DRY_RUN || specs.find((flag) => flag.name === name)?.type === 'boolean',
  );
  if (words.length > 0) {
    process.stderr.write(`fw add takes one feature and flags; did you mean --${words[0]}?\n`);
    return 2;
  }
  const { addFeature, applyToProject, projectRoot } = await import('../../codegen/schematics/index.js');
  const { [DRY_RUN]: dryRun = false, ...own } = flags;
  const applied = await applyToProject(
    projectRoot(process.cwd()),
    printLine,
    (context) => addFeature({ feature, flags: own }, context),
    { dryRun: dryRun === true },
  );
  return reportApplied(applied, dryRun === true);
}
