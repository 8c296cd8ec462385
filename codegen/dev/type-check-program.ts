// Runs the project's own compiler in a process of its own: `type-check-program.js <tsc> <arguments>`. Without this one a compiler that
// watches would outlive a parent that was killed.
import { pathToFileURL } from 'node:url';

const [compiler = '', ...args] = process.argv.slice(2);
process.once('disconnect', () => process.exit());
// The channel alone must keep nobody waiting, and a compiler that watches does not end by itself.
process.channel?.unref();
process.argv = [process.argv[0] as string, compiler, ...args];
await import(pathToFileURL(compiler).href);
