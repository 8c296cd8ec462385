import { describe, expect, jest, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { latestEnvFiles, loadEnvFiles } from './env-files.js';
import type { Profile } from './profile.js';
import { environmentFolder } from './testing/environment-folder.js';

const rootOf = environmentFolder();

const write = (file: string, text: string | Buffer) => writeFileSync(path.join(rootOf(), file), text);

describe('the .env files of a project', () => {
  test.each<[Profile, string, readonly string[]]>([
    ['dev', 'dev.local', ['.env.dev.local', '.env.local', '.env.dev', '.env']],
    ['prod', 'prod.local', ['.env.prod.local', '.env.local', '.env.prod', '.env']],
    ['test', 'test.local', ['.env.test.local', '.env.test', '.env']],
  ])('of profile %s are read with the most particular one first', (profile, first, files) => {
    for (const name of ['', '.local', ...['dev', 'test', 'prod'].flatMap((each) => [`.${each}`, `.${each}.local`])])
      write(`.env${name}`, `FW_ENV_FIRST=${name.slice(1)}\nFW_ENV_OF${name.replaceAll('.', '_')}=yes\n`);
    expect(loadEnvFiles(rootOf(), profile)).toMatchObject({ profile, files });
    expect(process.env['FW_ENV_FIRST']).toBe(first);
    const read = Object.keys(process.env).filter((name) => name.startsWith('FW_ENV_OF'));
    expect(read).toHaveLength(files.length);
  });

  test('set nothing that the environment has, empty or not', () => {
    Object.assign(process.env, { FW_ENV_SET: 'here', FW_ENV_EMPTY: '' });
    write('.env', 'FW_ENV_SET=there\nFW_ENV_EMPTY=there\nFW_ENV_OTHER=there\n');
    loadEnvFiles(rootOf(), 'dev');
    expect(process.env).toMatchObject({ FW_ENV_SET: 'here', FW_ENV_EMPTY: '', FW_ENV_OTHER: 'there' });
  });

  test('are read once, and remembered with their names', () => {
    write('.env', 'FW_ENV_ONCE=1\n');
    const first = loadEnvFiles(rootOf(), 'dev');
    write('.env', 'FW_ENV_TWICE=1\n');
    expect(loadEnvFiles(rootOf(), 'dev')).toBe(first);
    expect([latestEnvFiles(), process.env['FW_ENV_TWICE']]).toEqual([first, undefined]);
    expect(first).toEqual({ profile: 'dev', files: ['.env'], names: ['FW_ENV_ONCE'] });
  });

  test.each([
    [
      'quotes, comments and export',
      `# a comment\nexport FW_ENV_A="x y" # behind it\nFW_ENV_B='$HOME'\n`,
      'x y',
      '$HOME',
    ],
    ['ends of lines of Windows, and its byte order mark', '\uFEFFFW_ENV_A=x\r\nFW_ENV_B=y\r\n', 'x', 'y'],
    ['blank lines and blanks around the sign', '\n\n  FW_ENV_A = x  \n\nFW_ENV_B =y', 'x', 'y'],
    [
      'values with signs of their own',
      'FW_ENV_A=postgres://u:p=1@h/d?x=y\nFW_ENV_B="a#b"',
      'postgres://u:p=1@h/d?x=y',
      'a#b',
    ],
    ['several lines in quotes', 'FW_ENV_A="-----BEGIN\nx\n-----END"\nFW_ENV_B=y', '-----BEGIN\nx\n-----END', 'y'],
  ])('may have %s', (_, text, a, b) => {
    write('.env', text);
    loadEnvFiles(rootOf(), 'dev');
    expect([process.env['FW_ENV_A'], process.env['FW_ENV_B']]).toEqual([a, b]);
  });

  test.each<[string, string | Buffer, RegExp]>([
    [
      'a line that sets nothing',
      'FW_ENV_A=1\nsome words\nFW_ENV_B=2\n',
      /\.env has a line that is not NAME=value: "some words/,
    ],
    [
      'text of two bytes a character',
      Buffer.from('\uFEFFFW_ENV_A=1\n', 'utf16le'),
      /\.env has a line that is not NAME=value/,
    ],
    ['the profile', 'FW_ENV_A=1\nFW_PROFILE=prod\n', /\.env sets FW_PROFILE, which is read before the file is/],
    ['NODE_ENV', 'NODE_ENV=production\n', /\.env sets NODE_ENV/],
    ['options of Node', 'NODE_OPTIONS=--require ./x.cjs\n', /\.env sets NODE_OPTIONS/],
  ])('are refused with %s, and set nothing then', (_, text, message) => {
    write('.env', text);
    write('.env.dev', 'FW_ENV_DEV=1\n');
    expect(() => loadEnvFiles(rootOf(), 'dev')).toThrow(message);
    expect([process.env['FW_ENV_A'], process.env['FW_ENV_DEV']]).toEqual([undefined, undefined]);
  });

  test('are refused when one is a folder, as container engines make of what is mounted and not there', () => {
    mkdirSync(path.join(rootOf(), '.env'));
    expect(() => loadEnvFiles(rootOf(), 'dev')).toThrow(expect.objectContaining({ code: 'FW_CONFIG_ENV_FILE' }));
  });

  test('of other tools are named where somebody may take them for ours', () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    write('.env.production', 'FW_ENV_A=1\n');
    loadEnvFiles(rootOf(), 'prod');
    const message = '.env.production is not read: the file of this profile is called .env.prod.';
    expect(warn.mock.calls).toEqual([[message, { code: 'FW_CONFIG_ENV_FILE_NAME' }]]);
    warn.mockClear();
    const other = mkdtempSync(path.join(rootOf(), 'other-'));
    writeFileSync(path.join(other, '.env.production'), 'FW_ENV_A=1\n');
    loadEnvFiles(other, 'dev');
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
    expect(process.env['FW_ENV_A']).toBeUndefined();
  });
});
