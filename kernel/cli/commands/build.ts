import { buildApp } from '../../build/build-app.js';
import type { CommandAction } from '../../contracts/command.js';

interface BuildOptions {
  readonly include?: readonly string[];
  readonly check: boolean;
  readonly json?: boolean;
}

/** `fw build`: compiles the application to dist/. */
const build: CommandAction<BuildOptions> = async ({ options: { include, check, json }, cwd, out, err, progress }) => {
  const from = performance.now();
  const doing = check ? 'compiling, and checking types' : 'compiling';
  const { files, removed, types } = await progress(doing, () => buildApp({ root: cwd, include, check }));
  const ms = Math.round(performance.now() - from);
  if (json) return out(`${JSON.stringify({ files, removed, types, ms }, null, 2)}\n`);
  if (!types.checked) err(`types were not checked: ${types.skipped}\n`);
  for (const file of removed) out(`removed ${file}, which an earlier build wrote\n`);
  out(`built ${files} files into dist/ in ${ms} ms\n`);
};

export default build;
