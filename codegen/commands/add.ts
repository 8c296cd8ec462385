import type { CommandAction } from '../../kernel/contracts/command.js';
import { FEATURES, findFeature } from '../../plugins/tools/introspection/index.js';
import { addFeature } from '../schematics/index.js';
import { asksForHelp } from './free-flags.js';
import { asksForJson, firstWordFirst, flagRows, GENERAL, REPLACE, separated } from './general-flags.js';
import { applyAndReport } from './report-applied.js';

/** `fw add`: wires a feature into app.config.ts. */
const add: CommandAction<unknown, readonly string[]> = async (call) => {
  const { out, err } = call;
  const args = firstWordFirst(call.args);
  const [feature, ...rest] = args;
  if (feature !== undefined && asksForJson([feature])) {
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
  if (feature === undefined || asksForHelp(args)) {
    out(known ? helpOf(known) : `${USAGE}\n\n${FEATURES.map(summaryOf).join('')}`);
    return 0;
  }
  const { words, flags, ...telling } = separated(rest, [REPLACE, ...(known?.flags ?? [])]);
  if (words.length > 0) {
    err(`fw add takes one feature and flags; did you mean --${words[0]}?\n`);
    return 2;
  }
  return applyAndReport(call, telling, (context) => addFeature({ feature, flags }, context));
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
  const own = flags.map(({ name: flag, usage, default: given }) => ({
    name: flag,
    usage: given === '' ? usage : `${usage}; default ${String(given)}`,
  }));
  const rows = flagRows([...own, REPLACE, ...GENERAL], WIDTH).map((row) => `${row}\n`);
  const also = aliases.length === 0 ? '' : `Also called ${aliases.join(', ')}.\n`;
  return `fw add ${name} [flags]\n\n${summary}\n${also}\n${rows.join('')}`;
}

const WIDTH = 18;
