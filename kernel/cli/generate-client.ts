import { Command } from 'commander';

/** `fw generate client`: writes a typed client of the project's routes. */
export function generateClientCommand(finish: (exitCode: number) => void): Command {
  return new Command('client')
    .description('Write a TypeScript client whose calls have the types of the routes; it needs no package')
    .exitOverride()
    .option('--out <file>', 'file to write; default generated/client.ts')
    .option('--check', 'write nothing; fail when the file is not current')
    .action(async (options: { out?: string; check?: boolean }) => {
      const { clientCommand: run } = await import('../../codegen/client/client-command.js');
      finish(await run({ root: process.cwd(), ...options }));
    });
}
