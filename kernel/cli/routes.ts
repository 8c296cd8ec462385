import { Command } from 'commander';

/** `fw routes`: prints the routes that `fw codegen` read from the sources. */
export function routesCommand(finish: (exitCode: number) => void): Command {
  return new Command('routes')
    .description('List the routes of the project, from generated/routes.json')
    .option('--json', 'print them as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { routesCommand: run } = await import('../../codegen/commands.js');
      finish(await run({ root: process.cwd(), json: json ?? false }));
    });
}
