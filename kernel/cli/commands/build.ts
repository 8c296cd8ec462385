import { buildApp } from '../../build/build-app.js';
import type { Bundle } from '../../build/bundle/index.js';
import type { CommandAction, CommandCall } from '../../contracts/command.js';

interface BuildOptions {
  readonly include?: readonly string[];
  readonly check: boolean;
  readonly bundle?: boolean;
  readonly json?: boolean;
}

/** `fw build`: compiles the application to dist/, and with `--bundle` puts it into a folder of its own. */
const build: CommandAction<BuildOptions> = async ({ options, cwd, out, err, progress }) => {
  const { include, check, json } = options;
  const from = performance.now();
  const ms = () => Math.round(performance.now() - from);
  const doing = check ? 'compiling, and checking types' : 'compiling';
  const { files, removed, types } = await progress(doing, () => buildApp({ root: cwd, include, check }));
  if (!json) {
    if (!types.checked) err(`types were not checked: ${types.skipped}\n`);
    for (const file of removed) out(`removed ${file}, which an earlier build wrote\n`);
    out(`built ${files} files into dist/ in ${ms()} ms\n`);
  }
  const bundle = options.bundle ? await bundled(cwd, progress) : undefined;
  if (json) return out(`${JSON.stringify({ files, removed, types, bundle, ms: ms() }, null, 2)}\n`);
  if (bundle === undefined) return;
  if (bundle.unchecked !== undefined) err(`${uncheckedInWords(bundle.unchecked)}\n`);
  out(`${bundleInWords(bundle)} in ${ms()} ms\nnode ${bundle.folder}/start.js serves it\n`);
};

async function bundled(cwd: string, progress: CommandCall['progress']): Promise<Bundle> {
  const { bundleApp } = await import('../../build/bundle/index.js');
  return progress('bundling: finding what it needs, and trying it out elsewhere', () => bundleApp(cwd));
}

function bundleInWords({ files, packages, bytes, folder }: Bundle): string {
  return `bundled ${files} files, ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB into ${folder}/`;
}

function uncheckedInWords(reason: string): string {
  const remedy = reason.startsWith('FW_CONFIG_ENVIRONMENT:')
    ? '\nset them for this command, if need be to other values: a bundle keeps none'
    : '';
  return `what it lacks could not be found out, since it does not start here: ${reason}${remedy}`;
}

export default build;
