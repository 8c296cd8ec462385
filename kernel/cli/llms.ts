import { Command } from 'commander';

/** `fw llms`: writes or checks llms.txt and llms-full.txt. */
export function llmsCommand(finish: (exitCode: number) => void): Command {
  return new Command('llms')
    .description('Write llms.txt and llms-full.txt from the declared routes and models; the project is not run')
    .option('--check', 'write nothing; fail when a file is not current, and name the routes that changed')
    .option('--out <folder>', 'folder of the two files; default llmsDir of the docs plugin, else the project')
    .option('--json', 'print the result as JSON')
    .action(async (options: { check?: boolean; out?: string; json?: boolean }) => {
      const { llmsCommand: run } = await import('../../codegen/llms/llms-command.js');
      finish(await run({ root: process.cwd(), ...options }));
    });
}
