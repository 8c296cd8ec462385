// Runs the project's own compiler in a process of its own: `type-check-program.js <tsc> <arguments>`. When the parent is killed, this
// process ends, and the watching compiler with it.
import { pathToFileURL } from 'node:url';

const [compiler = '', ...args] = process.argv.slice(2);
process.once('disconnect', () => process.exit());
// The channel must not keep the process alive once the compiler has ended.
process.channel?.unref();
process.argv = [process.argv[0] as string, compiler, ...args];
await import(pathToFileURL(compiler).href);
