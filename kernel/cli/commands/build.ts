import { buildApp } from '../../build/build-app.js';
import type { Bundle } from '../../build/bundle/index.js';
import type { CommandAction } from '../../contracts/command.js';

interface BuildOptions {
  readonly include?: readonly string[];
  readonly check: boolean;
  readonly bundle?: boolean;
}

/** Milliseconds after which somebody who waits is told for what. */
const QUIET_MS = 1_000;

/** `fw build`: compiles the application to dist/, and with `--bundle` puts it into a folder of its own. */
const build: CommandAction<BuildOptions> = async ({ options: { include, check, bundle }, cwd, out, err }) => {
  const from = performance.now();
  const taken = () => `in ${Math.round(performance.now() - from)} ms`;
  const doing = check ? 'compiling, and checking types' : 'compiling';
  const { files, removed, types } = await announced(doing, buildApp({ root: cwd, include, check }), err);
  if (!types.checked) err(`types were not checked: ${types.skipped}\n`);
  for (const file of removed) out(`removed ${file}, which an earlier build wrote\n`);
  out(`built ${files} files into dist/ ${taken()}\n`);
  if (!bundle) return;
  const { bundleApp } = await import('../../build/bundle/index.js');
  const made = await announced('bundling: finding what it needs, and trying it out elsewhere', bundleApp(cwd), err);
  if (made.unchecked !== undefined)
    err(`what it lacks could not be found out, since it does not start here: ${made.unchecked}\n`);
  out(`${bundleInWords(made)} ${taken()}\nnode ${made.folder}/start.js serves it\n`);
};

function bundleInWords({ files, packages, bytes, folder }: Bundle): string {
  return `bundled ${files} files, ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB into ${folder}/`;
}

async function announced<Done>(doing: string, work: Promise<Done>, err: (text: string) => void): Promise<Done> {
  const long = setTimeout(() => err(`${doing}\n`), QUIET_MS);
  return work.finally(() => clearTimeout(long));
}

export default build;
