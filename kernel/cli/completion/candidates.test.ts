import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Contributor, Manifest } from '../../manifests/index.js';
import { type BroughtCommand, ownCommands, withPackages } from '../brought-commands.js';
import { askedFor, candidatesFor, completing } from './candidates.js';

const manifest: Manifest = {
  commands: [
    {
      name: 'greet',
      summary: 'Greets',
      module: './greet.js',
      arguments: [{ name: '<name>' }, { name: '[moods...]', choices: ['glad', 'sad'] }],
      options: [
        { flags: '-t, --tone <tone>', description: 'of voice', choices: ['low', 'high'] },
        { flags: '--words <words...>', description: 'to use', choices: ['hello', 'servus'] },
        { flags: '--quiet', description: 'says nothing' },
      ],
    },
    { name: 'secret', summary: 'Is not told', module: './secret.js', hidden: true },
    { name: 'say', alias: 's', summary: 'Says', module: './say.js', ownFlags: true, completes: './say-words.js' },
    { name: 'say all', summary: 'Says all', module: './all.js' },
    { name: 'say none', summary: 'Says none', module: './none.js', completes: './none-words.js' },
  ],
};
const greeting: Contributor = { owner: 'greeting', file: 'package.json', prefix: 'fw.', manifest, locate: (at) => at };

let commands: readonly BroughtCommand[];
beforeAll(async () => {
  const own = await ownCommands();
  ({ commands } = withPackages(own, { found: [greeting], problems: [], missing: [] }));
});

const wordsFor = (...words: readonly string[]) => candidatesFor(commands, words).map(({ word }) => word);

describe('completion', () => {
  test.each([
    [
      ['say', 'it', '--'],
      ['it', '--'],
    ],
    [['s', ''], ['']],
    // One that has not ended is not its own, and `say all` is another command.
    [['say'], undefined],
    [['say', 'all', ''], undefined],
    [
      ['say', 'none', 'of', 'i'],
      ['of', 'i'],
    ],
    [['greet', ''], undefined],
    [['nothing', ''], undefined],
  ])('leaves words to the module of their command: %j', (words, expected) => {
    expect(completing(commands, words)?.words).toEqual(expected);
  });

  test('knows the commands of fw and of packages, and their options', () => {
    expect(wordsFor('')).toEqual(expect.arrayContaining(['codegen', 'greet', 'help', 'plugins', 'start']));
    expect(wordsFor('')).not.toEqual(expect.arrayContaining(['secret']));
    expect(wordsFor('')).not.toContain('complete');
    expect(wordsFor('pl')).toEqual(['plugin', 'plugins']);
    expect(wordsFor('greet', '--')).toEqual(['--tone', '--words', '--quiet', '--help']);
    expect(wordsFor('greet', '--quiet', '--to')).toEqual(['--tone']);
    expect(candidatesFor(commands, ['gre'])).toEqual([{ word: 'greet', about: 'Greets' }]);
  });

  test.each([
    [['add', 'orm', '--driver=sq'], ['add', 'orm', '--driver', 'sq'], '--driver='],
    [['add', '--driver='], ['add', '--driver', ''], '--driver='],
    // As bash gives it.
    [['add', '--driver', '=', 'sq'], ['add', '--driver', 'sq'], ''],
    [['add', '--driver', '='], ['add', '--driver', ''], ''],
    [['add', '--driver', '=', 'sqlite', '--dr'], ['add', '--driver', 'sqlite', '--dr'], ''],
    [['add', '='], ['add', '='], ''],
    [[], [], ''],
  ])('has the value of an option as a word: %j', (typed, words, prefix) => {
    expect(askedFor(typed)).toEqual({ words, prefix });
  });

  test.each([
    [
      ['start', ''],
      ['aggregator', 'mcp-server'],
    ],
    [['start', '--report', 'ag'], ['aggregator']],
    [
      ['db', ''],
      ['check', 'pull', 'read', 'reader', 'schema', 'help'],
    ],
    [['g', 'cl'], ['client']],
    [['migrate', 's'], ['status']],
    [['migrate', '--config', 'x.js', 's'], ['status']],
    [['migrate', 'status', ''], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['greet', ''], []],
    [
      ['greet', 'Ada', ''],
      ['glad', 'sad'],
    ],
    [['greet', 'Ada', 'glad', 's'], ['sad']],
    [
      ['greet', '--tone', ''],
      ['low', 'high'],
    ],
    [['greet', '-t', 'h'], ['high']],
    [['greet', '--tone', 'low', 'Ada', 'g'], ['glad']],
    [['greet', '--words', 'hello', 's'], ['servus']],
    [['build', '--include', ''], []],
    [['nothing', ''], []],
    [['start', '--config', ''], []],
  ])('goes on with %j', (words, expected) => {
    expect(wordsFor(...words)).toEqual(expected);
  });
});
