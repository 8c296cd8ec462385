import type { CommandAction } from '../../kernel/contracts/command.js';
import { generate, SCHEMATICS } from '../schematics/index.js';
import { asksForHelp } from './free-flags.js';
import { asksForJson, firstWordFirst, flagRows, GENERAL, separated } from './general-flags.js';
import { applyAndReport } from './report-applied.js';

/** `fw generate`: writes code that a person edits afterwards. */
const generateCommand: CommandAction<unknown, readonly string[]> = async (call) => {
  const { out } = call;
  const [kind, ...rest] = firstWordFirst(call.args);
  if (kind !== undefined && asksForJson([kind])) {
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
  const { words, flags, ...telling } = separated(rest, flagsOfKind);
  const [name = '', ...fields] = words;
  return applyAndReport(call, telling, (context) => generate({ kind, name, fields, flags }, context));
};

export default generateCommand;

interface Kind {
  readonly kind: string;
  readonly summary: string;
  readonly flags: readonly { readonly name: string; readonly usage: string }[];
}

function kindTable(kinds: readonly Kind[]): string {
  const rows = kinds.flatMap(({ kind, summary, flags }) => [`${kind.padEnd(12)}${summary}`, ...flagRows(flags, WIDTH)]);
  const usage = ['fw generate <kind> <Name> [field:type[:rules]...] [flags]', ...flagRows(GENERAL, WIDTH)];
  return `${usage.join('\n')}\n\n${rows.join('\n')}\n`;
}

const WIDTH = 12;
