// `npm run typecheck`: the types of the tree, and of each room that is a program of its own because it has a tsconfig.json.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runForwardingSignals } from './run.mjs';

const PARTS = ['kernel', 'plugins', 'codegen'];

/** Folders of the rooms that are programs of their own, relative to the repository. */
export function ownPrograms(root) {
  return PARTS.flatMap((part) =>
    readdirSync(path.join(root, part), { recursive: true })
      .filter((file) => path.basename(file) === 'tsconfig.json' && !file.split(path.sep).includes('node_modules'))
      .map((file) => path.join(part, path.dirname(file))),
  ).sort();
}

/**
 * Checks one program after the other, by the compiler in machine code, which needs a tenth of the time of the one in JavaScript. What
 * users compile against, the declarations, is checked by each supported release (kernel/e2e/scenarios/typescript-versions.test.ts).
 *
 * @returns the exit code of the first that has a mistake, else 0
 */
export async function checkTypes(root) {
  const tsc = path.join(root, 'node_modules/typescript-native/bin/tsc');
  for (const program of ['.', ...ownPrograms(root)]) {
    const code = await runForwardingSignals(process.execPath, [tsc, '--project', program], { cwd: root });
    if (code !== 0) return code;
  }
  return 0;
}

if (process.argv[1] === import.meta.filename)
  process.exitCode = await checkTypes(path.resolve(import.meta.dirname, '../..'));
