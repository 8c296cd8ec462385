import { resolveOptions } from '../../kernel/config/resolve-options.js';
import { type Resolver, type ServiceFactory, type Token, tokenName } from '../../kernel/container/index.js';
import {
  DashboardPage,
  DocsPage,
  HttpMiddleware,
  HttpRoutes,
  type Logger,
  type Tool,
  ToolContribution,
} from '../../kernel/contracts/index.js';
import { isFwError, messageOf } from '../../kernel/errors/index.js';
import {
  isToolCategory,
  type PluginCategory,
  type PluginManifest,
  type RegisterContext,
  TOOL_CATEGORIES,
} from '../../kernel/plugin/index.js';
import { doubtful, type PluginProblem, wrong } from './problem.js';

/** Contributions of a plugin. */
export interface Capabilities {
  readonly tools: readonly string[];
  /** Names of the tokens that it contributes to, one for each contribution. */
  readonly contributions: readonly string[];
  readonly provides: readonly string[];
  readonly probes: readonly string[];
  readonly problems: readonly PluginProblem[];
}

// The plugin that reads each kind of contribution: without it the contribution has no effect, and it has to start later.
const LISTENERS: ReadonlyMap<Token<unknown>, string> = new Map<Token<unknown>, string>([
  [HttpRoutes, 'http'],
  [HttpMiddleware, 'http'],
  [DashboardPage, 'dashboard'],
  [DocsPage, 'docs'],
]);

/** Registers a plugin without an application, and compares its bindings and contributions with its manifest. */
export function capabilitiesOf(manifest: PluginManifest, options: Readonly<Record<string, unknown>>): Capabilities {
  const recorded = new Recorder();
  const problems = registered(manifest, options, recorded);
  const contributions = recorded.contributions.map(([token]) => tokenName(token));
  const probes = [...recorded.probes];
  const provides = [...recorded.bound].map(tokenName);
  if (problems.length > 0) return { tools: [], contributions, provides, probes, problems };
  const { tools, problems: ofTools } = toolsOf(recorded, manifest.category);
  return {
    tools: tools.map(({ name }) => name),
    contributions,
    provides,
    probes,
    problems: [...tokenProblems(manifest, recorded), ...listenerProblems(manifest, recorded), ...ofTools],
  };
}

function registered(
  manifest: PluginManifest,
  given: Readonly<Record<string, unknown>>,
  recorder: Recorder,
): readonly PluginProblem[] {
  let options: Readonly<Record<string, unknown>>;
  try {
    options = resolveOptions(manifest, given);
  } catch (error) {
    if (!isFwError(error)) throw error;
    return [doubtful('options', error.message, "Pass what it needs: fw plugin check --options '{...}'.")];
  }
  try {
    manifest.register?.({ options: options as never, profile: 'test', log: NO_LOG, ...recorder.context() });
    return [];
  } catch (error) {
    const why = messageOf(error);
    return [
      wrong('capabilities', `register fails: ${why}`, 'In register only bind and contribute; open things in start.'),
    ];
  }
}

class Recorder {
  readonly bound = new Set<Token<unknown>>();
  readonly contributions: [Token<unknown>, ServiceFactory<unknown>][] = [];
  readonly probes = new Set<string>();

  context(): Pick<RegisterContext<unknown>, 'bind' | 'bindClass' | 'contribute' | 'probe'> {
    return {
      bind: (token) => void this.bound.add(token),
      bindClass: (token) => void this.bound.add(token),
      contribute: (token, make) => void this.contributions.push([token, make as ServiceFactory<unknown>]),
      probe: (subsystem) => void this.probes.add(subsystem),
    };
  }
}

function tokenProblems({ provides = [] }: PluginManifest, { bound }: Recorder): readonly PluginProblem[] {
  const declared = new Set(provides);
  return [
    ...[...bound]
      .filter((token) => !declared.has(token))
      .map((token) =>
        wrong(
          'capabilities',
          `it binds ${tokenName(token)}, which its manifest does not declare`,
          'List the token in provides.',
        ),
      ),
    ...provides
      .filter((token) => !bound.has(token))
      .map((token) =>
        wrong(
          'capabilities',
          `it declares ${tokenName(token)}, but binds nothing to it`,
          'Call bind in register, or take it out of provides.',
        ),
      ),
  ];
}

function listenerProblems(
  { needs = [], optionalNeeds = [] }: PluginManifest,
  { contributions }: Recorder,
): readonly PluginProblem[] {
  const named = new Set([...needs, ...optionalNeeds]);
  const tokens = [...new Set(contributions.map(([token]) => token))];
  return tokens.flatMap((token) => {
    const listener = LISTENERS.get(token);
    if (listener === undefined || named.has(listener)) return [];
    const fix = `Add needs: ['${listener}'], or optionalNeeds where it can do without.`;
    return wrong('capabilities', `it contributes ${tokenName(token)}, but does not name ${listener}`, fix);
  });
}

function toolsOf(
  { contributions }: Recorder,
  own: PluginCategory,
): {
  readonly tools: readonly Tool[];
  readonly problems: readonly PluginProblem[];
} {
  const tools: Tool[] = [];
  const problems: PluginProblem[] = [];
  for (const [token, make] of contributions) {
    if (token !== ToolContribution) continue;
    try {
      const tool = make(NO_SERVICES) as Tool;
      tools.push(tool);
      problems.push(...toolProblems(tool, own));
    } catch (error) {
      const why = messageOf(error);
      problems.push(
        error instanceof MissingService
          ? doubtful(
              'capabilities',
              `a tool was not looked at: ${why}`,
              'Resolve services when the tool runs, not when it is made.',
            )
          : wrong('capabilities', `a tool cannot be made: ${why}`, 'Correct what the message names.'),
      );
    }
  }
  return { tools, problems };
}

function toolProblems(
  { name, category: named, description, output }: Tool,
  own: PluginCategory,
): readonly PluginProblem[] {
  const of = (message: string, fix: string) => wrong('capabilities', `tool ${name}: ${message}`, fix);
  return [
    ...(/^[a-z][a-z0-9_]{0,63}$/.test(name)
      ? []
      : [of('its name is malformed', 'Use lower-case letters, digits and _, at most 64.')]),
    ...(name.startsWith('fw_')
      ? [of('names with fw_ are those of the framework', 'Begin the name with that of your plugin.')]
      : []),
    ...(isToolCategory(named ?? own)
      ? []
      : [of(`there is no tool category ${String(named ?? own)}`, `Use one of ${TOOL_CATEGORIES.join(', ')}.`)]),
    ...(named !== undefined && isToolCategory(own) && own !== named
      ? [of(`its category is ${named}, and that of its plugin ${own}`, 'Leave it out: the plugin has it.')]
      : []),
    ...(description.trim() === '' ? [of('it has no description', 'Say what it does: a model chooses by it.')] : []),
    ...((output as { type?: unknown } | undefined)?.type === 'object'
      ? []
      : [
          of(
            'its output schema is not an object',
            'structuredContent is an object: declare output: Type.Object({ ... }).',
          ),
        ]),
  ];
}

class MissingService extends TypeError {}

// There is no application: resolving a service during registration is an error.
const NO_SERVICES: Resolver = {
  get: (token) => {
    throw new MissingService(`it asks for ${tokenName(token)} before the application runs`);
  },
  getOptional: () => undefined,
  all: () => [],
} as Resolver;

const quiet = (): void => undefined;
const NO_LOG: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => NO_LOG };
