import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { builtInDialects } from '../../../plugins/orm/registry/index.js';
import { findCommand, runProcess } from '../../process/index.js';
import { describeIfThere } from '../../testing/required-service.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

// A project with a package that brings a command, and with fw in node_modules/.bin, as npm puts it there.
let project: string;
beforeAll(async () => {
  project = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-completion-')));
  await mkdir(path.join(project, 'node_modules/.bin'), { recursive: true });
  await symlink(ROOT, path.join(project, 'node_modules/fw'));
  await symlink(path.join(ROOT, 'dist/kernel/bin/fw.js'), path.join(project, 'node_modules/.bin/fw'));
  const greeting = path.join(project, 'node_modules/fw-plugin-greeting');
  await cp(path.join(ROOT, 'docs/examples/greeting-plugin'), greeting, { recursive: true });
  const dependencies = { 'fw-plugin-greeting': '*', 'fw-dialect-spoken': '*' };
  // Nothing of it is run: its facts are enough.
  const address = { option: 'file', example: 'x', variable: 'X' };
  const fw = { dialects: [{ name: 'spoken', title: 'Spoken', module: 'fw-dialect-spoken', address }] };
  await mkdir(path.join(project, 'node_modules/fw-dialect-spoken'));
  await writeFile(
    path.join(project, 'node_modules/fw-dialect-spoken/package.json'),
    JSON.stringify({ name: 'fw-dialect-spoken', version: '1.0.0', fw }),
  );
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ name: 'completed', dependencies }));
  await writeFile(path.join(project, 'notes.txt'), '');
});
afterAll(() => rm(project, { recursive: true }));

async function shell(command: string, args: readonly string[]): Promise<string> {
  const PATH = `${path.join(project, 'node_modules/.bin')}:${process.env['PATH']}`;
  // None of the settings of who runs the tests.
  const env = { PATH, HOME: project, XDG_CONFIG_HOME: project, XDG_DATA_HOME: project, TERM: 'dumb' };
  const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 200_000 };
  const ended = await runProcess({ command, args, cwd: project, env, ...limits });
  expect({ exitCode: ended.exitCode, stderr: ended.stderr }).toEqual({ exitCode: 0, stderr: '' });
  return ended.stdout;
}

const found = async (name: string) => (await findCommand(name))?.path;
const missing = (name: string) => `no ${name} on this machine: apt-get install ${name}`;

describeIfThere(await found('bash'), missing('bash'), 'completion in bash', (bash) => {
  test('goes on with commands, kinds, features and options, and leaves files to the shell', async () => {
    // As bash calls it when Tab is pressed behind the words.
    const script = `
        eval "$(fw completion bash)"
        complete -p fw
        tab() { COMP_WORDS=(fw "$@"); COMP_CWORD=$#; _fw_complete; echo "$*: \${COMPREPLY[*]}"; }
        tab gre; tab greet --j; tab migrate s; tab start ''; tab greet ''; tab generate re; tab g mod; tab add e; tab add orm --dr; tab add orm --driver ''; tab add orm --driver = sqlit; tab add jwt --json --j
      `;
    expect((await shell(bash, ['--norc', '-euc', script])).split('\n')).toEqual([
      'complete -o default -F _fw_complete fw',
      'gre: greet',
      'greet --j: --json',
      'migrate s: status',
      'start : aggregator mcp-server',
      'greet : ',
      'generate re: resource',
      'g mod: model',
      'add e: events etag',
      'add orm --dr: --driver --dry-run',
      `add orm --driver : ${[...builtInDialects.map(({ name }) => name), 'spoken'].join(' ')}`,
      'add orm --driver = sqlit: sqlite',
      'add jwt --json --j: ',
      '',
    ]);
  });
});

describeIfThere(await found('zsh'), missing('zsh'), 'completion in zsh', (zsh) => {
  test('goes on with commands, kinds, features and options, and leaves files to the shell', async () => {
    // A zsh that somebody types into, for whom Tab completes the word and then says what the line has become.
    const script = `
        zmodload zsh/zpty
        zpty -b typed zsh -f -i
        zpty -w typed 'unsetopt ZLE_BRACKETED_PASTE; eval "$(fw completion zsh)"'
        zpty -w typed 'tab() { zle complete-word; print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N tab; bindkey "^I" tab'
        zpty -w typed 'print READY-$((1 + 1))'
        zpty -r -m typed line '*READY-2*'
        for words in "$@"; do
          zpty -w -n typed "$words"$'\\t'
          zpty -r -m typed line '*<<*>>*'
          print -r -- \${\${line##*<<}%%>>*}
        done
        zpty -d typed
      `;
    const words = [
      'fw gre',
      'fw greet --j',
      'fw migrate s',
      'fw generate re',
      'fw g mod',
      'fw add et',
      'fw add orm --driver=mysq',
      'fw greet note',
    ];
    expect((await shell(zsh, ['-f', '-c', script, 'zsh', ...words])).split('\n')).toEqual([
      'fw greet ',
      'fw greet --json ',
      'fw migrate status ',
      'fw generate resource ',
      'fw g model ',
      'fw add etag ',
      'fw add orm --driver=mysql ',
      'fw greet notes.txt ',
      '',
    ]);
  });
});

describeIfThere(await found('fish'), missing('fish'), 'completion in fish', (fish) => {
  test('goes on with commands, kinds, features and options, each with what it is, and leaves files to the shell', async () => {
    const asked = [
      'fw gre',
      'fw greet --j',
      'fw migrate s',
      'fw generate re',
      'fw g mod',
      'fw add e',
      'fw add orm --driver=mysq',
      'fw greet notes',
    ];
    const script = `fw completion fish | source; for each in $argv; complete -C $each; echo '==='; end`;
    const said = await shell(fish, ['--no-config', '-c', script, ...asked]);
    expect(said.split('===\n').map((each) => each.trimEnd())).toEqual([
      'greet\tSay how the application greets somebody',
      '--json\tprint the result as JSON',
      'status',
      'resource',
      'model',
      'etag\nevents',
      '--driver=mysql\tMySQL, MariaDB',
      'notes.txt',
      '',
    ]);
  });
});
