// Runs the project's own compiler until this process ends: `type-check-program.js <program> <arguments>`. When the parent is killed, this
// process ends, and the watching compiler with it.
import { pathToFileURL } from 'node:url';
import { startProcess } from '../../kernel/process/index.js';

const [program = '', ...args] = process.argv.slice(2);
process.once('disconnect', () => process.exit());
// The channel must not keep the process alive once the compiler has ended.
process.channel?.unref();
if (program === process.execPath) await runScript(args);
else await runProgram();

/** In this process, which saves a start of Node. */
async function runScript([script = '', ...rest]: readonly string[]): Promise<void> {
  process.argv = [program, script, ...rest];
  await import(pathToFileURL(script).href);
}

async function runProgram(): Promise<void> {
  // What a process has started ends when it exits, which a signal that nobody handles does not do.
  process.once('SIGTERM', () => process.exit());
  const { exited } = await startProcess({ command: program, args, cwd: process.cwd(), output: 'inherit' });
  process.exitCode = (await exited).exitCode ?? 1;
}
