import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Tool, type ToolContext, type ToolResult, validatorOf } from '../../../../kernel/index.js';
import { confinePath, openRoots } from '../../../../kernel/fs/index.js';
import { ANY_TOOL, RecordingLogger } from '../../../../kernel/testing/index.js';

const PACKAGES = path.resolve(import.meta.dirname, '../../../../node_modules');
const folders: string[] = [];

/** Writes a project into a temporary folder, with some of the framework's own packages installed in it. */
export async function projectOnDisk(
  files: Readonly<Record<string, string>>,
  packages: readonly string[] = [],
): Promise<string> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-verify-')));
  folders.push(root);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  for (const name of packages) {
    const place = path.join(root, 'node_modules', name);
    await mkdir(path.dirname(place), { recursive: true });
    await symlink(path.join(PACKAGES, name), place);
  }
  return root;
}

/** Removes what {@link projectOnDisk} wrote. */
export async function removeProjects(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

/** Result of a call, with its reports. */
export interface Called<Output> extends ToolResult<Output> {
  readonly progress: readonly string[];
}

/** Calls a tool on a project, and checks the result against the tool's output schema. */
export async function callOn<Output>(
  tool: Tool,
  root: string,
  input: object = {},
  signal = new AbortController().signal,
): Promise<Called<Output>> {
  const roots = await openRoots([root], root);
  const confine = async (given: string) => (await confinePath(given, roots, { base: root })).resolved;
  const told: string[] = [];
  const progress = (_done: number, _total: number | undefined, message: string) => void told.push(message);
  const context: ToolContext = {
    ...ANY_TOOL,
    signal,
    log: new RecordingLogger(),
    workspace: root,
    readOnly: false,
    confine,
    progress,
  };
  const result = (await tool.run({ path: root, ...input } as never, context)) as ToolResult<Output>;
  const issues = validatorOf(tool.output).check(structuredClone(result.structured));
  if (issues.length > 0) throw new TypeError(`${tool.name} answers against its schema: ${JSON.stringify(issues)}`);
  return { ...result, progress: told };
}
