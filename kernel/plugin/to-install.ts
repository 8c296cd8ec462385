import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { frameworkFolder } from './framework-version.js';

/** What a process prints that packs the framework into a new project; relative to the project. */
export const PACKING_LOG = '.fw/packing.log';

/** What has to be done before the packages of a project can be used, as the end of a sentence. */
export function toInstall(root: string): string {
  const missing = missingFramework(root);
  if (missing === undefined) return `run npm install in ${root}`;
  const away = `${missing}, from which package.json takes fw, is not there yet`;
  const pack = `node ${path.join(frameworkFolder(), 'dist/kernel/bin/fw.js')} upgrade --no-install`;
  const how = existsSync(path.join(root, PACKING_LOG))
    ? `wait until it is (${PACKING_LOG} says how the packing went; if it was cut off, run \`${pack}\` there)`
    : `run \`${pack}\` there`;
  return `${away}: ${how}, and then npm install`;
}

/** The tarball from which package.json takes fw, where it is not there; relative to the project. */
export function missingFramework(root: string): string | undefined {
  const file = path.join(root, 'package.json');
  // What else may be wrong with the file npm says itself.
  const [, tarball] = existsSync(file) ? (/"fw":\s*"file:([^"]+\.tgz)"/.exec(readFileSync(file, 'utf8')) ?? []) : [];
  return tarball === undefined || existsSync(path.join(root, tarball)) ? undefined : tarball;
}
