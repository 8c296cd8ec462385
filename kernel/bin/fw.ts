#!/usr/bin/env node
import module from 'node:module';

// Compiled code is kept from one command to the next where Node can, which is from 22 on
// (https://nodejs.org/api/module.html#module-compile-cache). Only what is imported afterwards has a part in it.
(module as typeof module & { readonly enableCompileCache?: () => void }).enableCompileCache?.();
const { runCli } = await import('../cli/run-cli.js');

const exitCode = await runCli(process.argv.slice(2));
// What an application or a plugin left running must not keep the process; what was written must still arrive.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
