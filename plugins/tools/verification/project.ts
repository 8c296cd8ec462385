import { existsSync } from 'node:fs';
import path from 'node:path';
import { fwError, readTextFile, type ToolContext } from '../../../kernel/index.js';
import { isObject, objectOf } from '../../../kernel/values/index.js';
import { VERIFICATION_ERRORS } from './errors.js';

/** The part of a tool call's context that a verification needs. */
export type RunContext = Pick<ToolContext, 'signal' | 'progress' | 'confine'>;

/** The parts of a package.json that determine tests and benchmarks. */
export interface PackageManifest {
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of all dependencies, including those for development. */
  readonly dependencies: ReadonlySet<string>;
}

/** A project by its toolchain. A folder with go.mod and package.json is a Go module with some JavaScript. */
export type VerifiedProject =
  | { readonly kind: 'go'; readonly root: string }
  | { readonly kind: 'node'; readonly root: string; readonly manifest: PackageManifest };

const MAX_MANIFEST_BYTES = 1 << 20;

/**
 * Determines the kind of the project in a folder.
 * @throws FwError `FW_TOOLS_NO_PACKAGE`, `FW_TOOLS_PACKAGE`
 */
export async function projectAt(root: string, { confine }: RunContext): Promise<VerifiedProject> {
  if (existsSync(path.join(root, 'go.mod'))) return { kind: 'go', root };
  const file = path.join(root, 'package.json');
  if (!existsSync(file)) throw fwError(VERIFICATION_ERRORS.FW_TOOLS_NO_PACKAGE, { path: root });
  const text = await readTextFile(await confine(file), { maxBytes: MAX_MANIFEST_BYTES });
  return { kind: 'node', root, manifest: manifestIn(text, file) };
}

function manifestIn(text: string, file: string): PackageManifest {
  const content = objectIn(text, file);
  const scripts = Object.entries(objectOf(content['scripts'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return {
    scripts: Object.fromEntries(scripts),
    dependencies: new Set(groups.flatMap((group) => Object.keys(objectOf(content[group])))),
  };
}

function objectIn(text: string, file: string): Readonly<Record<string, unknown>> {
  const damaged = (problem: string, cause?: unknown) =>
    fwError(VERIFICATION_ERRORS.FW_TOOLS_PACKAGE, { path: file, problem }, { cause });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw damaged('it is not JSON', cause);
  }
  if (!isObject(content)) throw damaged('it is not an object');
  return content;
}
