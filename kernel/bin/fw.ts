#!/usr/bin/env node
import module from 'node:module';

// Compiled code is kept from one command to the next where Node can, which is from 22 on
// (https://nodejs.org/api/module.html#module-compile-cache). Only modules that are imported after this call are cached.
(module as typeof module & { readonly enableCompileCache?: () => void }).enableCompileCache?.();
const { runCli } = await import('../cli/run-cli.js');

const exitCode = await runCli(process.argv.slice(2));
// Handles that an application or a plugin left open must not keep the process alive, but its output has to be flushed first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
