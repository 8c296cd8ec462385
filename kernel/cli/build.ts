import { Command } from 'commander';
import { buildApp } from '../build/build-app.js';

/** `fw build`: compiles the application to dist/. */
export function buildCommand(finish: (exitCode: number) => void): Command {
  return new Command('build')
    .description('Compile the application to dist/ (run `fw codegen` before; types are checked by tsc)')
    .option(
      '--include <globs...>',
      'files to compile; default app/, src/, generated/ and whatever app.config.ts imports',
    )
    .action(async ({ include }: { include?: string[] }) => {
      const from = performance.now();
      const { files } = await buildApp({ root: process.cwd(), include });
      process.stdout.write(`built ${files} files into dist/ in ${Math.round(performance.now() - from)} ms\n`);
      finish(0);
    });
}
