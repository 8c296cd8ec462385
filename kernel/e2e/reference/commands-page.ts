import type { Schematic } from '../../../codegen/schematics/engine/schematic.js';
import type { CommandManifest } from '../../manifests/index.js';

/** The page that lists every command of fw, from the manifests of its rooms, and the flags of what `fw generate` makes. */
export function commandsPage(commands: readonly CommandManifest[], kinds: readonly Schematic[]): string {
  return [
    '# Commands',
    '',
    'Generated from the manifests of the rooms by `npm run docs`; do not edit. `fw <command> --help` says the same. Exit codes: 0 done, 1',
    'failed, 2 wrong usage. Packages bring further ones ([write-a-plugin.md](../guides/write-a-plugin.md#how-do-i-add-a-command)).',
    '',
    ...commands
      .filter(({ hidden }) => !hidden)
      .flatMap((command) => [...section(command), ...(command.name === 'generate' ? flagsOf(kinds) : [])]),
  ].join('\n');
}

function section({
  name,
  alias,
  summary,
  module,
  arguments: given = [],
  options = [],
  help,
  ownFlags,
}: CommandManifest) {
  const usage = ['fw', name, ...(options.length > 0 ? ['[options]'] : []), ...given.map((each) => each.name)].join(' ');
  const rows = [
    ...given.filter(({ description, choices }) => description ?? choices).map((each) => row(each.name, each)),
    ...options.map((each) => row(each.flags, each)),
  ];
  return [
    `## fw ${name}`,
    '',
    `${summary}.${alias === undefined ? '' : ` Also \`fw ${alias}\`.`}`,
    '',
    ...(module === undefined ? [] : ['```', usage, ...(help === undefined ? [] : ['', ...help]), '```', '']),
    ...(rows.length === 0 ? [] : ['| | Meaning | Default |', '|---|---|---|', ...rows, '']),
    ...(ownFlags ? [`Further flags: \`fw ${name} --help\`.`, ''] : []),
  ];
}

// The tool fw_generate takes them too, and has no --help.
function flagsOf(kinds: readonly Schematic[]): string[] {
  const rows = kinds.map(({ kind, flags }) => {
    const told = flags.map(({ name, usage }) => `\`--${name}\` ${usage}`).join('; ');
    return `| \`${kind}\` | ${told.replaceAll('|', '\\|')} |`;
  });
  return [
    'Flags by kind, for the tool `fw_generate` without the two dashes:',
    '',
    '| Kind | Flags |',
    '|---|---|',
    ...rows,
    '',
  ];
}

interface Described {
  readonly description?: string;
  readonly default?: string;
  readonly choices?: readonly string[];
}

function row(name: string, { description, default: standard, choices }: Described): string {
  const meaning = [description, choices && `one of: ${choices.join(', ')}`].filter((each) => each !== undefined);
  const cells = [`\`${name}\``, meaning.join('; '), standard === undefined ? '' : `\`${standard}\``];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
