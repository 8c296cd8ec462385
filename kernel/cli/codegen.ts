import { Command } from 'commander';

interface CodegenOptions {
  readonly check?: boolean;
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** `fw codegen`: writes generated/ from the model and route declarations. */
export function codegenCommand(finish: (exitCode: number) => void): Command {
  return new Command('codegen')
    .description('Generate typed accessors, scanners, validators and the route registry into generated/')
    .option('--check', 'write nothing; fail and name each file that is stale')
    .option('--watch', 'generate again whenever a declaration changes')
    .option('--json', 'print the result as JSON')
    .action(async (options: CodegenOptions) => {
      // Loaded here: ts-morph must never be on the path of another command.
      const { codegenCommand: run } = await import('../../codegen/commands.js');
      finish(await run({ root: process.cwd(), ...options }));
    });
}
