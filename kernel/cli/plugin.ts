import { Command } from 'commander';
import { untilSignal } from './signals.js';

/** `fw plugin`: what authors of plugins need. */
export function pluginCommand(finish: (exitCode: number) => void): Command {
  return new Command('plugin').description('Check a plugin before it is published').addCommand(checkCommand(finish));
}

function checkCommand(finish: (exitCode: number) => void): Command {
  return new Command('check')
    .description("Check a plugin's package: exports, peer dependency, types, manifest, options, capabilities")
    .argument('[folder]', 'folder of the package', '.')
    .option('--options <json>', 'options to register it with', '{}')
    .option('--no-pack', 'leave out what npm pack would publish, which takes the most of the time')
    .option('--json', 'print the result as JSON')
    .exitOverride()
    .action(async (folder: string, { options, json, pack }: { options: string; json?: boolean; pack: boolean }) => {
      const { pluginCheckCommand } = await import('../../codegen/plugin-check/index.js');
      const out = (text: string) => void process.stdout.write(text);
      finish(
        await pluginCheckCommand({ folder, options, json: json ?? false, pack, signal: untilSignal().aborted, out }),
      );
    });
}
