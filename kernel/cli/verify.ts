import { Command } from 'commander';
import { untilSignal } from './signals.js';

/** `fw verify`: types, lint, tests and conventions of a project, or build, vet and tests of a Go module. */
export function verifyCommand(finish: (exitCode: number) => void): Command {
  return new Command('verify')
    .description('Check a project: types, lint, tests, conventions; of a Go module build, vet, tests')
    .argument('[folder]', 'project folder', '.')
    .option('--no-tests', 'leave the tests out')
    .option('--filter <pattern>', 'run only tests whose name matches this regular expression')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, { tests, filter, json }: { tests: boolean; filter?: string; json?: boolean }) => {
      const { verifyCommand: run } = await import('../../plugins/tools/verification/index.js');
      const exitCode = await run({
        folder,
        tests,
        json: json ?? false,
        signal: untilSignal().aborted,
        out: (text) => void process.stdout.write(text),
        err: (text) => void process.stderr.write(text),
        ...(filter !== undefined && { testFilter: filter }),
      });
      finish(exitCode);
    });
}
