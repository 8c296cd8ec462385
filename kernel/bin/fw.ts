#!/usr/bin/env node
import { keepCompiledCode } from '../process/keep-compiled-code.js';

// Before anything else is loaded, which is what it is for.
keepCompiledCode();
const { runCli } = await import('../cli/run-cli.js');

process.exitCode = await runCli(process.argv.slice(2));
