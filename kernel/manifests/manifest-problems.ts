import { isObject } from '../values/index.js';
import { suggestion } from '../errors/index.js';
import type { CommandManifest, Manifest } from './manifest.js';

/** A value in a manifest that its field does not allow. */
export interface ManifestProblem {
  /** `commands[1].options[0].flags` */
  readonly field: string;
  /** The end of a sentence about the field. */
  readonly problem: string;
}

type Check = (value: unknown, field: string) => readonly ManifestProblem[];

/** The problems of a package's manifest; empty when there are none. */
export function packageManifestProblems(value: unknown): readonly ManifestProblem[] {
  const problems = PACKAGE(value, '');
  // The list of commands is checked only when each command is valid.
  return problems.length > 0 ? problems : commandListProblems((value as Manifest).commands ?? []);
}

/** Like {@link packageManifestProblems}, for a room of the framework. */
export function roomManifestProblems(value: unknown): readonly ManifestProblem[] {
  return ROOM(value, '');
}

function commandListProblems(commands: readonly CommandManifest[]): readonly ManifestProblem[] {
  const names = commands.map(({ name }) => name);
  return commands.flatMap(({ name, alias, module, makesProject, writes }, at) => {
    const above = name.split(' ').slice(0, -1).join(' ');
    const beside = names.filter((each, other) => other !== at && isBeside(each, name)).map(lastWord);
    const isHolder = names.some((each) => each.startsWith(`${name} `));
    const found: readonly (readonly [boolean, string, string])[] = [
      [names.indexOf(name) < at, 'name', `is ${shown(name)}, as that of commands[${names.indexOf(name)}]`],
      [
        above !== '' && !names.includes(above),
        'name',
        `stands below ${shown(above)}, which is no command of the package`,
      ],
      [alias !== undefined && beside.includes(alias), 'alias', `is ${shown(alias)}, the name of another command`],
      [module === undefined && !isHolder, 'module', 'is missing, and no command stands below this one'],
      [makesProject === true && !writes, 'makesProject', 'is true, and "writes" is not'],
    ];
    return found.filter(([is]) => is).map(([, key, problem]) => ({ field: `commands[${at}].${key}`, problem }));
  });
}

const lastWord = (name: string) => name.split(' ').at(-1) as string;
const isBeside = (one: string, other: string) =>
  one.slice(0, -lastWord(one).length) === other.slice(0, -lastWord(other).length);

const wrong = (field: string, value: unknown, expected: string): readonly ManifestProblem[] => [
  { field, problem: `is ${shown(value)}, expected ${expected}` },
];

const checked =
  (isRight: (value: unknown) => boolean, expected: string): Check =>
  (value, field) =>
    isRight(value) ? [] : wrong(field, value, expected);

const text = (pattern: RegExp, expected: string) =>
  checked((value) => typeof value === 'string' && pattern.test(value), expected);

const listOf =
  (item: Check, expected: string): Check =>
  (value, field) =>
    Array.isArray(value)
      ? value.flatMap((each, at) => item(each, `${field}[${at}]`))
      : wrong(field, value, `a list of ${expected}`);

const mapOf =
  (item: Check, expected: string): Check =>
  (value, field) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, each]) => item(each, `${field}.${key}`))
      : wrong(field, value, `an object of ${expected}`);

function objectOf(checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  const known = Object.keys(checks);
  return (value, field) => {
    if (!isObject(value)) return wrong(field, value, `an object with ${known.join(', ')}`);
    const at = (key: string) => (field === '' ? key : `${field}.${key}`);
    const missing = required.filter((key) => value[key] === undefined);
    return [
      ...missing.map((key) => ({ field: at(key), problem: 'is missing' })),
      ...Object.entries(value).flatMap(([key, each]) =>
        each === undefined
          ? []
          : Object.hasOwn(checks, key)
            ? (checks[key] as Check)(each, at(key))
            : [{ field: at(key), problem: `is not known. ${suggestion(key, known)}Known here: ${known.join(', ')}` }],
      ),
    ];
  };
}

const WORD = '[a-z][a-z0-9]*(-[a-z0-9]+)*';
const SENTENCE = text(/\S/, 'a sentence');
const MODULE = text(
  /^\.\/(?!(.*\/)?\.\.(\/|$)).+\.[cm]?js$/,
  'a JavaScript file of the package, e.g. "./commands/greet.js"',
);
const FLAG = checked((value) => typeof value === 'boolean', 'true or false');
const WORDS = listOf(SENTENCE, 'words');

const COMMAND = objectOf(
  {
    name: text(new RegExp(`^${WORD}( ${WORD})*$`), 'lower-case words, e.g. "greet" or "greet all"'),
    summary: SENTENCE,
    module: MODULE,
    alias: text(new RegExp(`^${WORD}$`), 'a lower-case word'),
    arguments: listOf(
      objectOf(
        {
          name: text(/^(<[a-z][\w-]*(\.\.\.)?>|\[[a-z][\w-]*(\.\.\.)?\])$/i, '"<name>", "[name]" or "[names...]"'),
          description: SENTENCE,
          default: text(/^/, 'a text'),
          choices: WORDS,
        },
        ['name'],
      ),
      'arguments',
    ),
    options: listOf(
      objectOf(
        {
          flags: text(
            /^(-[a-z], )?--(?!help\b)[a-z][a-z0-9-]*( (<[a-z][\w=-]*(\.\.\.)?>|\[[a-z][\w=-]*(\.\.\.)?\]))?$/i,
            '"--name", "--name <value>" or "--name <values...>", other than --help, which every command has',
          ),
          description: SENTENCE,
          default: text(/^/, 'a text'),
          choices: WORDS,
        },
        ['flags', 'description'],
      ),
      'options',
    ),
    help: listOf(
      checked((value) => typeof value === 'string', 'a line'),
      'lines',
    ),
    ownFlags: FLAG,
    completes: MODULE,
    writes: (value, field) => (typeof value === 'boolean' ? [] : listOf(SENTENCE, 'words, or true')(value, field)),
    makesProject: FLAG,
    production: FLAG,
    hidden: FLAG,
  },
  ['name', 'summary'],
);

const OF_PACKAGES = {
  commands: listOf(COMMAND, 'commands'),
  checks: listOf(
    objectOf(
      { name: text(new RegExp(`^${WORD}$`), 'a lower-case word, e.g. "queue"'), summary: SENTENCE, module: MODULE },
      ['name', 'summary', 'module'],
    ),
    'checks',
  ),
  tools: listOf(text(/^[a-z][a-z0-9_]*$/, 'the name of a tool'), 'names of tools'),
  runtime: listOf(
    text(
      /^(\.\/|(@[\w.-]+\/)?[\w.-]+(\/|$))(?!(.*\/)?\.\.(\/|$)).*$/,
      'a module or a glob of files, e.g. "ajv" or "./templates/**"',
    ),
    'modules and globs of files',
  ),
  // Checked where they are used: `dialects` by the ORM, `models` by code generation.
  dialects: () => [],
  models: () => [],
} satisfies Record<string, Check>;

const PACKAGE = objectOf(OF_PACKAGES);

const ROOM = objectOf({
  ...OF_PACKAGES,
  build: MODULE,
  followUps: mapOf(MODULE, 'modules'),
  entries: listOf(MODULE, 'modules'),
  bundle: MODULE,
  external: listOf(text(/^(@[\w.-]+\/)?[\w.-]+$/, 'the name of a package'), 'names of packages'),
  prepared: mapOf(MODULE, 'modules'),
});

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return JSON.stringify(value);
}
