import type { CommandAction } from '../../kernel/contracts/command.js';
import { applyToProject, generate, projectRoot, SCHEMATICS } from '../schematics/index.js';
import { asksForHelp, freeFlags, switchesBehind } from './free-flags.js';
import { DRY_RUN, JSON_FLAG, reportApplied, reportAsJson } from './report-applied.js';

/** `fw generate`: writes code that a person edits afterwards. */
const generateCommand: CommandAction<unknown, readonly string[]> = async (call) => {
  const { cwd, out } = call;
  const [kind, ...rest] = switchesBehind(call.args, ['force', DRY_RUN, JSON_FLAG]);
  const json = [kind, ...rest].includes(`--${JSON_FLAG}`);
  if (kind === `--${JSON_FLAG}`) {
    out(
      `${JSON.stringify(
        SCHEMATICS.map(({ kind: each, summary, flags }) => ({ kind: each, summary, flags })),
        null,
        2,
      )}\n`,
    );
    return 0;
  }
  if (kind === undefined || asksForHelp([kind, ...rest])) {
    const asked = SCHEMATICS.filter((each) => each.kind === kind);
    out(kindTable(asked.length > 0 ? asked : SCHEMATICS));
    return 0;
  }
  const flagsOfKind = SCHEMATICS.find((each) => each.kind === kind)?.flags ?? [];
  const { words, flags } = freeFlags(
    rest,
    (name) =>
      name === DRY_RUN || name === JSON_FLAG || flagsOfKind.find((flag) => flag.name === name)?.type === 'boolean',
  );
  const { [DRY_RUN]: dryRun = false, [JSON_FLAG]: _json, ...own } = flags;
  const [name = '', ...fields] = words;
  const applied = await applyToProject(
    projectRoot(cwd),
    (line) => void (json || out(`${line}\n`)),
    (context) => generate({ kind, name, fields, flags: own }, context),
    { dryRun: dryRun === true },
  );
  if (json) return reportAsJson(applied, dryRun === true, call);
  return reportApplied(applied, dryRun === true, call);
};

export default generateCommand;

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
    'fw generate <kind> <Name> [field:type[:rules]...] [flags]\n  --dry-run     print what would be written\n  --json        print the result as JSON';
  return `${usage}\n\n${rows.join('\n')}\n`;
}
