import { buildApp } from '../../build/build-app.js';
import type { CommandAction } from '../../contracts/command.js';

interface BuildOptions {
  readonly include?: readonly string[];
  readonly check: boolean;
}

/** `fw build`: compiles the application to dist/. */
const build: CommandAction<BuildOptions> = async ({ options: { include, check }, cwd, out, err, progress }) => {
  const from = performance.now();
  const doing = check ? 'compiling, and checking types' : 'compiling';
  const { files, removed, types } = await progress(doing, () => buildApp({ root: cwd, include, check }));
  if (!types.checked) err(`types were not checked: ${types.skipped}\n`);
  for (const file of removed) out(`removed ${file}, which an earlier build wrote\n`);
  out(`built ${files} files into dist/ in ${Math.round(performance.now() - from)} ms\n`);
};

export default build;
