import type { CommandAction } from '../../kernel/contracts/command.js';
import { FEATURES, findFeature } from '../../plugins/tools/introspection/index.js';
import { addFeature, applyToProject, projectRoot } from '../schematics/index.js';
import { asksForHelp, freeFlags, switchesBehind } from './free-flags.js';
import { DRY_RUN, JSON_FLAG, reportApplied, reportAsJson } from './report-applied.js';

/** `fw add`: wires a feature into app.config.ts. */
const add: CommandAction<unknown, readonly string[]> = async (call) => {
  const { cwd, out, err } = call;
  const [feature, ...rest] = switchesBehind(call.args, ['force', DRY_RUN, JSON_FLAG]);
  const json = [feature, ...rest].includes(`--${JSON_FLAG}`);
  const listed = feature === undefined || feature === `--${JSON_FLAG}`;
  if (listed && json) {
    out(
      `${JSON.stringify(
        FEATURES.map(({ name, summary, plugin, aliases, flags }) => ({ name, summary, plugin, aliases, flags })),
        null,
        2,
      )}\n`,
    );
    return 0;
  }
  const known = feature === undefined ? undefined : findFeature(feature.toLowerCase());
  if (feature === undefined || asksForHelp([feature, ...rest])) {
    out(known ? helpOf(known) : `${USAGE}\n\n${FEATURES.map(summaryOf).join('')}`);
    return 0;
  }
  const specs = known?.flags ?? [];
  const { words, flags } = freeFlags(
    rest,
    (name) =>
      ['force', DRY_RUN, JSON_FLAG].includes(name) || specs.find((flag) => flag.name === name)?.type === 'boolean',
  );
  if (words.length > 0) {
    err(`fw add takes one feature and flags; did you mean --${words[0]}?\n`);
    return 2;
  }
  const { [DRY_RUN]: dryRun = false, [JSON_FLAG]: _json, ...own } = flags;
  const applied = await applyToProject(
    projectRoot(cwd),
    (line) => void (json || out(`${line}\n`)),
    (context) => addFeature({ feature, flags: own }, context),
    { dryRun: dryRun === true },
  );
  if (json) return reportAsJson(applied, dryRun === true, call);
  return reportApplied(applied, dryRun === true, call);
};

export default add;

const USAGE = 'fw add <feature> [flags]; fw add <feature> --help lists the flags';

interface Feature {
  readonly name: string;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly flags: readonly { readonly name: string; readonly default: unknown; readonly usage: string }[];
}

const summaryOf = ({ name, summary }: Feature): string => `${name.padEnd(14)}${summary}\n`;

function helpOf({ name, summary, aliases, flags }: Feature): string {
  const rows = flags.map((flag) => {
    const fallback = flag.default === '' ? '' : `; default ${String(flag.default)}`;
    return `  --${flag.name.padEnd(18)}${flag.usage}${fallback}\n`;
  });
  const also = aliases.length === 0 ? '' : `Also called ${aliases.join(', ')}.\n`;
  const general = `  --${'force'.padEnd(18)}replace the options that are there\n  --${DRY_RUN.padEnd(18)}print what would be written\n  --${JSON_FLAG.padEnd(18)}print the result as JSON\n`;
  return `fw add ${name} [flags]\n\n${summary}\n${also}\n${rows.join('')}${general}`;
}
