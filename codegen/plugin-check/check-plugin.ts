import { existsSync } from 'node:fs';
import { type Capabilities, capabilitiesOf } from './capabilities.js';
import { commandProblems, toolNameProblems } from './commands.js';
import { definitionProblems, optionProblems } from './definition.js';
import { furtherPlugins, loadPlugin } from './load-plugin.js';
import { packedProblems } from './packed-files.js';
import { packageProblems, peerProblems, readPluginPackage } from './plugin-package.js';
import { CHECKS, type PluginProblem } from './problem.js';
import { typeProblems } from './type-declarations.js';

/** Result of a check. */
export interface PluginCheck {
  /** Name of the package. */
  readonly name: string;
  /** No errors; there may be warnings. */
  readonly ok: boolean;
  /** In the order of {@link CHECKS}. */
  readonly problems: readonly PluginProblem[];
  /** Contributions of the plugin; undefined when it could not be loaded. */
  readonly capabilities: Omit<Capabilities, 'problems'> | undefined;
}

/** What to check. */
interface PluginCheckRequest {
  /** Absolute path of the package. */
  readonly root: string;
  /** Options to register it with; missing ones get their defaults. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether to ask npm for the files that it would publish, which takes most of the time. */
  readonly pack: boolean;
  readonly signal: AbortSignal;
}

/**
 * Checks a plugin's package: exports, peer dependency, types, commands, manifest, options, capabilities. Its modules are loaded into this
 * process and registered, but not started.
 *
 * @throws FwError `FW_PLUGIN_CHECK_PACKAGE`
 */
export async function checkPlugin({ root, options, pack, signal }: PluginCheckRequest): Promise<PluginCheck> {
  const found = await readPluginPackage(root);
  const problems: PluginProblem[] = [
    ...packageProblems(found),
    ...peerProblems(found),
    ...(await typeProblems(found)),
    ...(pack ? await packedProblems(found, signal) : []),
  ];
  const canLoad = found.entry !== undefined && existsSync(found.entry) && !/\.[cm]?tsx?$/.test(found.entry);
  const plugin = canLoad ? await loadPlugin(found.entry as string) : [];
  if (!('manifest' in plugin)) return result(found.name, [...problems, ...plugin], undefined);
  const { manifest } = plugin;
  const further = (await furtherPlugins(found.further)).filter((each) => each.manifest !== manifest);
  const { problems: ofCapabilities, ...capabilities } = together([
    capabilitiesOf(manifest, options),
    ...further.map((each) => capabilitiesOf(each.manifest, {})),
  ]);
  const all = [
    ...problems,
    ...(await commandProblems(found)),
    ...[manifest, ...further.map((each) => each.manifest)].flatMap((each) => [
      ...definitionProblems(each, found),
      ...optionProblems(each),
    ]),
    ...ofCapabilities,
    // A plugin that could not be registered has no contributions to compare.
    ...(ofCapabilities.length > 0 ? [] : toolNameProblems(found, capabilities.tools)),
  ];
  return result(found.name, all, capabilities);
}

// Merges the plugins of a package with several exports; `fw.tools` of package.json lists the tools of all.
function together(all: readonly Capabilities[]): Capabilities {
  return {
    tools: all.flatMap((each) => each.tools),
    contributions: all.flatMap((each) => each.contributions),
    provides: all.flatMap((each) => each.provides),
    probes: all.flatMap((each) => each.probes),
    problems: all.flatMap((each) => each.problems),
  };
}

function result(
  name: string,
  problems: readonly PluginProblem[],
  capabilities: PluginCheck['capabilities'],
): PluginCheck {
  return {
    name,
    ok: problems.every(({ level }) => level !== 'error'),
    problems: CHECKS.flatMap((check) => problems.filter((problem) => problem.check === check)),
    capabilities,
  };
}
