import { describe, expect, test } from '@jest/globals';
import { packageManifestProblems, roomManifestProblems } from './manifest-problems.js';
import { roomManifests } from './rooms.js';

const right = { name: 'greet', summary: 'Greets', module: './greet.js' };
const problemsOf = (fw: unknown) => packageManifestProblems(fw).map(({ field, problem }) => `${field} ${problem}`);
const ofCommand = (changes: object) => problemsOf({ commands: [{ ...right, ...changes }] });

describe('the manifest of a package', () => {
  test('may say all that there is', () => {
    const all = {
      ...right,
      alias: 'hello',
      arguments: [{ name: '<name>', description: 'whom', choices: ['Ada', 'Grace'] }, { name: '[others...]' }],
      options: [
        { flags: '-l, --loud', description: 'louder' },
        { flags: '--times <n>', description: 'how often', default: '1' },
        { flags: '--no-comma', description: 'leaves it out' },
        { flags: '--also <names...>', description: 'whom else' },
        { flags: '--call <name=nickname...>', description: 'who is called otherwise' },
        { flags: '--color [when]', description: 'colours', choices: ['always', 'never'] },
      ],
      help: ['Examples:', '', '  fw greet Ada'],
      writes: ['all'],
      hidden: false,
    };
    const below = {
      name: 'greet all',
      summary: 'Greets all',
      module: './commands/all.mjs',
      ownFlags: true,
      completes: './commands/all-words.mjs',
      writes: true,
    };
    expect(
      problemsOf({
        commands: [all, below],
        tools: ['greeting_greet'],
        dialects: [{ name: 'pglite' }],
        models: './dist/fw-models.json',
      }),
    ).toEqual([]);
    expect(problemsOf({})).toEqual([]);
  });

  test.each<[object, string]>([
    [{ name: undefined }, 'commands[0].name is missing'],
    [{ name: 'Greet' }, 'commands[0].name is "Greet", expected lower-case words'],
    [{ name: 'greet  all' }, 'commands[0].name is "greet  all", expected'],
    [{ name: 'greet all' }, 'commands[0].name stands below "greet", which is no command of the package'],
    [{ summary: ' ' }, 'commands[0].summary is " ", expected a sentence'],
    [{ module: 'greet.js' }, 'commands[0].module is "greet.js", expected a JavaScript file of the package'],
    [{ module: './../other/greet.js' }, 'commands[0].module is "./../other/greet.js", expected'],
    [{ module: './a/../../greet.js' }, 'commands[0].module is "./a/../../greet.js", expected'],
    [{ module: './greet.ts' }, 'commands[0].module is "./greet.ts", expected'],
    [{ module: undefined }, 'commands[0].module is missing, and no command stands below this one'],
    [{ modul: './greet.js' }, 'commands[0].modul is not known. Did you mean "module"? Known here: name, summary'],
    [{ arguments: {} }, 'commands[0].arguments is an object, expected a list of arguments'],
    [{ arguments: [{ name: 'name' }] }, 'commands[0].arguments[0].name is "name", expected "<name>", "[name]"'],
    [{ arguments: [{ name: '<name>', choices: 'a' }] }, 'commands[0].arguments[0].choices is "a", expected a list'],
    [{ options: [{ flags: '--loud' }] }, 'commands[0].options[0].description is missing'],
    [{ options: [{ flags: '-loud', description: 'x' }] }, 'commands[0].options[0].flags is "-loud", expected "--name"'],
    [{ options: [{ flags: '--help', description: 'x' }] }, 'commands[0].options[0].flags is "--help", expected'],
    [{ options: ['--loud'] }, 'commands[0].options[0] is "--loud", expected an object with flags, description'],
    [{ writes: 'yes' }, 'commands[0].writes is "yes", expected a list of words, or true'],
    [{ makesProject: true }, 'commands[0].makesProject is true, and "writes" is not'],
    [{ completes: 'words.js' }, 'commands[0].completes is "words.js", expected a JavaScript file of the package'],
    [{ ownFlags: 1 }, 'commands[0].ownFlags is 1, expected true or false'],
    [{ help: 'Examples' }, 'commands[0].help is "Examples", expected a list of lines'],
  ])('is refused with its field: %j', (changes, problem) => {
    expect(ofCommand(changes)).toEqual([expect.stringContaining(problem)]);
  });

  test.each<[unknown, string]>([
    [null, ' is null, expected an object'],
    [[], ' is a list, expected an object with commands, checks, tools, runtime, dialects, models'],
    [{ commands: right }, 'commands is an object, expected a list of commands'],
    [{ tools: ['Greet me'] }, 'tools[0] is "Greet me", expected the name of a tool'],
    [{ build: './build.js' }, 'build is not known'],
    [{ commands: [right, right] }, 'commands[1].name is "greet", as that of commands[0]'],
    [
      { commands: [right, { ...right, name: 'hello', alias: 'greet' }] },
      'commands[1].alias is "greet", the name of another command',
    ],
  ])('is refused as a whole: %j', (fw, problem) => {
    expect(problemsOf(fw)).toEqual([expect.stringContaining(problem)]);
  });
});

test('the manifests of the rooms are right', async () => {
  const rooms = await roomManifests();
  expect(rooms.map(({ owner }) => owner)).toEqual(expect.arrayContaining(['codegen', 'kernel/cli', 'plugins/orm']));
  expect(rooms.flatMap(({ file, manifest }) => roomManifestProblems(manifest).map((each) => [file, each]))).toEqual([]);
});
