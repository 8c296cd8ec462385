import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isOwnCommand, ownCommands } from '../../kernel/cli/index.js';
import { isFwError } from '../../kernel/errors/index.js';
import {
  type Contributor,
  loadFunction,
  type Manifest,
  packageManifestProblems,
} from '../../kernel/manifests/index.js';
import type { PluginPackage } from './plugin-package.js';
import { doubtful, type PluginProblem, wrong } from './problem.js';

/** Mistakes in `fw` of the package.json, and in the modules of its commands and checks. */
export async function commandProblems({ root, name, manifest }: PluginPackage): Promise<readonly PluginProblem[]> {
  const { fw } = manifest;
  if (fw === undefined) return [];
  const problems = packageManifestProblems(fw).map(({ field, problem }) =>
    wrong('commands', `"fw${field === '' ? '' : '.'}${field}" of package.json ${problem}`, CORRECT),
  );
  if (problems.length > 0) return problems;
  const own = await ownCommands();
  const found = (fw as Manifest).commands ?? [];
  const by = {
    ...{ owner: name, file: path.join(root, 'package.json'), prefix: 'fw.', manifest: fw as Manifest },
    locate: (module: string) => pathToFileURL(path.resolve(root, module)).href,
  };
  const checked = found.map(async (command, at) => {
    const [word = ''] = command.name.split(' ');
    const taken = [word, ...(command.alias === undefined ? [] : [command.alias])].filter((each) =>
      isOwnCommand(own, each),
    );
    const clashes = taken.map((each) =>
      wrong('commands', `fw itself has a command "${each}"`, 'Give it another name.'),
    );
    const unusable = await moduleProblems(by, `commands[${at}].module`, command.module);
    const mute = await moduleProblems(by, `commands[${at}].completes`, command.completes);
    return [...clashes, ...unusable, ...mute];
  });
  const checks = ((fw as Manifest).checks ?? []).map(({ module }, at) =>
    moduleProblems(by, `checks[${at}].module`, module),
  );
  return (await Promise.all([...checked, ...checks])).flat();
}

async function moduleProblems(
  by: Contributor,
  field: string,
  module: string | undefined,
): Promise<readonly PluginProblem[]> {
  if (module === undefined) return [];
  if (!existsSync(path.resolve(path.dirname(by.file), module)))
    return [wrong('commands', `${module} does not exist`, 'Build the package first, or correct the path.')];
  return loadFunction({ by, field, module }).then(
    () => [],
    (error: unknown) => [wrong('commands', messageOf(error), 'Export what it runs by default: a function.')],
  );
}

/** Modules of commands and checks that the package must publish; absolute. */
export function commandModules({ root, manifest }: PluginPackage): readonly string[] {
  const { fw } = manifest;
  if (fw === undefined || packageManifestProblems(fw).length > 0) return [];
  const { commands = [], checks = [] } = fw as Manifest;
  const modules = [...[...commands, ...checks].map(({ module }) => module), ...commands.map((each) => each.completes)];
  return modules.filter((module) => module !== undefined).map((module) => path.resolve(root, module));
}

/** Tools that package.json lists and the plugin does not contribute, and the other way round. */
export function toolNameProblems(
  { manifest }: PluginPackage,
  contributed: readonly string[],
): readonly PluginProblem[] {
  const { fw } = manifest;
  if (packageManifestProblems(fw ?? {}).length > 0) return [];
  const named = (fw as Manifest | undefined)?.tools ?? [];
  const said = named.filter((each) => !contributed.includes(each));
  const silent = contributed.filter((each) => !named.includes(each));
  return [
    ...said.map((each) =>
      wrong(
        'capabilities',
        `"fw.tools" of package.json names ${each}, which it does not contribute`,
        'Remove it there.',
      ),
    ),
    ...silent.map((each) =>
      doubtful(
        'capabilities',
        `"fw.tools" of package.json does not name ${each}`,
        `Add it: a server without the plugin then says who brings it.`,
      ),
    ),
  ];
}

const CORRECT = 'docs/guides/write-a-plugin.md lists what it may have.';

function messageOf(error: unknown): string {
  if (!isFwError(error)) throw error;
  return error.message;
}
