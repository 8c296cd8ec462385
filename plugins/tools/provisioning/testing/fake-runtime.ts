import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A call that the fake runtime got. */
export interface RuntimeCall {
  readonly args: readonly string[];
  /** Its environment, beyond what every program gets. */
  readonly env: Readonly<Record<string, string>>;
}

// Imitates docker as far as the tools use it: names, labels, exit codes and messages about missing objects. Containers are entries of a
// file; nothing runs.
const PROGRAM = `#!/usr/bin/env node
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const dir = __dirname + '/';
const args = process.argv.slice(2);
appendFileSync(dir + 'calls', JSON.stringify({ args, env: process.env }) + '\\n');
const state = existsSync(dir + 'containers.json') ? JSON.parse(readFileSync(dir + 'containers.json', 'utf8')) : {};
const save = () => writeFileSync(dir + 'containers.json', JSON.stringify(state));
const fail = (words) => { process.stderr.write(words + '\\n'); process.exit(1); };
const value = (option) => args[args.indexOf(option) + 1];
const last = args.at(-1);
const found = () => Object.entries(state).find(([name, { id }]) => name === last || id === last) ?? fail('Error: No such container: ' + last);
const operation = args[0] === 'container' || args[0] === 'image' ? args.slice(0, 2).join(' ') : args[0];
({
  version: () => (existsSync(dir + 'no-engine') ? fail('Cannot connect to the Docker daemon') : console.log('1.0')),
  'image inspect': () => (last.startsWith('missing') ? fail('No such image') : console.log(last.startsWith('foreign') ? '' : 'provisioned')),
  run: () => {
    const name = value('--name');
    if (state[name]) fail('Conflict. The container name is already in use');
    state[name] = { id: Buffer.from(name.padEnd(8)).toString('hex'), label: args.find((each) => each.startsWith('fw.provision=')).split('=')[1] };
    save();
    if (existsSync(dir + 'fail-run')) fail('port is already allocated');
    console.log(state[name].id);
  },
  'container inspect': () => {
    const [, container] = found();
    console.log(value('--format').includes('State') ? JSON.stringify(existsSync(dir + 'ended') ? { Running: false, ExitCode: 7 } : { Running: true, ExitCode: 0 }) : container.label);
  },
  logs: () => console.log('the password is ' + readFileSync(dir + 'ended', 'utf8')),
  stop: () => found(),
  rm: () => { const [name] = found(); delete state[name]; save(); },
  rmi: () => {},
}[operation] ?? (() => fail('unknown operation ' + operation)))();
`;

/** Writes a program that stands in for docker. @returns its path */
export async function writeFakeRuntime(folder: string): Promise<string> {
  const program = path.join(folder, 'docker');
  await writeFile(program, PROGRAM);
  await chmod(program, 0o755);
  return program;
}

/** The calls that the fake runtime got so far. */
export async function callsOf(program: string): Promise<readonly RuntimeCall[]> {
  const text = await readFile(path.join(path.dirname(program), 'calls'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RuntimeCall);
}

/** Names of the containers that the fake runtime has. */
export async function containersOf(program: string): Promise<readonly string[]> {
  const text = await readFile(path.join(path.dirname(program), 'containers.json'), 'utf8').catch(() => '{}');
  return Object.keys(JSON.parse(text) as object);
}
