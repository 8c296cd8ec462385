import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CommandManifest, Contributor } from '../manifests/index.js';
import { type BroughtCommand, ownCommands, withPackages } from './brought-commands.js';

const bringing = (owner: string, ...commands: readonly Partial<CommandManifest>[]): Contributor => ({
  owner,
  file: `/${owner}/package.json`,
  prefix: 'fw.',
  manifest: { commands: commands.map((each) => ({ name: owner, summary: 'Runs', module: './run.js', ...each })) },
  locate: (module) => `/${owner}/${module}`,
});

let own: readonly BroughtCommand[];
beforeAll(async () => void (own = await ownCommands()));

function joined(...found: readonly Contributor[]) {
  const { commands, problems } = withPackages(own, { found, problems: [], missing: [] });
  const foreign = commands.filter(({ isForeign }) => isForeign);
  return {
    names: foreign.map(({ command, by }) => `${by.owner}: ${command.name}`),
    problems: problems.map(({ code, message }) => `${code}: ${message}`),
    count: commands.length,
  };
}

describe('commands of packages', () => {
  test('stand beside those of fw', () => {
    const { names, problems, count } = joined(bringing('one', {}, { name: 'one more' }), bringing('two', {}));
    expect({ names, problems }).toEqual({ names: ['one: one', 'one: one more', 'two: two'], problems: [] });
    expect(count).toBe(own.length + 3);
  });

  test.each([
    ['start', 'start'],
    ['start worker', 'start'],
    ['help', 'help'],
    ['g', 'g'],
    ['complete', 'complete'],
  ])('cannot take one of fw: %s', (name, word) => {
    const { names, problems, count } = joined(bringing('thief', { name: 'fine' }, { name }));
    expect(names).toEqual(['thief: fine']);
    expect(problems).toEqual([
      `FW_MANIFEST_CLASH: Both fw and thief bring the command "fw ${word}" (fw.commands[1].name of /thief/package.json).`,
    ]);
    expect(count).toBe(own.length + 1);
  });

  test('cannot take one by an alias either', () => {
    expect(joined(bringing('thief', { alias: 'start' })).problems).toEqual([
      expect.stringContaining('Both fw and thief bring the command "fw start"'),
    ]);
  });

  test('of two packages with the same word neither is there', () => {
    const { names, problems } = joined(
      bringing('one', { name: 'greet' }, { name: 'one' }),
      bringing('two', { name: 'greet loudly' }),
      bringing('three', { alias: 'greet' }),
    );
    expect(names).toEqual(['one: one']);
    expect(problems).toEqual([expect.stringContaining('bring the command "fw greet"')]);
    expect(problems[0]).toContain('Both one and');
  });
});
