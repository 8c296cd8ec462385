import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ScratchProject, scratchProject } from '../../../codegen/schematics/testing/scratch-project.js';
import { isPidTaken } from '../../fs/index.js';
import { runProcess, type RunningProcess, startProcess } from '../../process/index.js';
import { freePort } from '../../testing/free-port.js';
import { until } from '../../testing/until.js';
import { PATIENCE_MS } from '../../testing/patience.js';

// `fw dev` as a user runs it: real files, a real terminal program, real requests.
const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW = path.join(ROOT, 'dist/kernel/bin/fw.js');
const SOON = { timeoutMs: PATIENCE_MS };
const STATUS = 'app/routes/status.ts';

const statusRoute = (value: string) => `import { Type } from 'fw';
import { routes } from 'fw/http';

export default routes((router) => {
  router.get('/', { title: 'Status', public: true, output: Type.Object({ status: Type.String() }) }, function readStatus() {
    return { status: ${value} };
  });
}, 'status');
`;

let scratch: ScratchProject;
let dev: RunningProcess;
let url: string;

const at = (file: string) => path.join(scratch.root, file);
const write = (file: string, text: string) => writeFile(at(file), text);
const startDev = (port = 0) => {
  const args = [FW, 'dev', '--no-types'];
  // The template's own port may be taken where the tests run.
  return startProcess({ command: process.execPath, args, cwd: scratch.root, env: { PORT: String(port) } });
};
const entry = () => at(`.fw/running/${dev.pid}.json`);
const registered = async () => JSON.parse(await readFile(entry(), 'utf8')) as Record<string, unknown>;
const isGone = (pid: number) => !isPidTaken(pid);

async function asked(pathname = '/', accept = '*/*'): Promise<{ status: number; text: string }> {
  const answer = await fetch(url + pathname, { headers: { Accept: accept, Connection: 'close' } });
  return { status: answer.status, text: await answer.text() };
}

/** Asks until the answer is the expected one: a save takes effect a moment later. */
const untilAnswered = (
  expected: (answer: { status: number; text: string }) => boolean,
  pathname = '/',
  accept = '*/*',
) =>
  until(async () => {
    const answer = await asked(pathname, accept);
    return expected(answer) ? answer : undefined;
  }, 'answer that is expected');

const answers = (value: string) => untilAnswered(({ text }) => text === JSON.stringify({ status: value }));

beforeAll(async () => {
  scratch = await scratchProject('api');
  await mkdir(at('node_modules'));
  await symlink(ROOT, at('node_modules/fw'));
  await symlink(path.join(ROOT, 'node_modules/better-sqlite3'), at('node_modules/better-sqlite3'));
  const config = await readFile(at('app.config.ts'), 'utf8');
  await write('app.config.ts', config.replace("schema: 'create-missing'", "schema: 'sync-dev'"));
  await write(STATUS, statusRoute("'one'"));
  dev = await startDev();
  [, url = ''] = await dev.waitForLine(/Application\s+(http:\S+)/, SOON);
});
afterAll(async () => {
  await dev.stop({ graceMs: 10_000 });
  await scratch.remove();
});

describe('fw dev', () => {
  test('says where it runs in a file for its user alone, and runs once per project', async () => {
    await until(async () => ((await registered())['state'] === 'running' ? true : undefined), 'entry');
    expect(await registered()).toMatchObject({
      command: 'dev',
      process: { pid: dev.pid },
      addresses: expect.arrayContaining([expect.objectContaining({ url })]),
    });
    expect((await stat(entry())).mode & 0o777).toBe(0o600);
    expect(await readdir(at('.fw/running'))).toHaveLength(1);
    const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 100_000 };
    const second = await runProcess({ command: process.execPath, args: [FW, 'dev'], cwd: scratch.root, ...limits });
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toContain(`FW_DEV_RUNNING: fw dev runs for this project already: process ${dev.pid}`);
  });

  test('serves what was saved, whichever way the editor saves, and refuses nobody meanwhile', async () => {
    const failures: unknown[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) await asked().catch((error: unknown) => failures.push(error));
    })();
    // Awaited from the beginning, because a line for each request drives older ones out of what is kept.
    const told = dev.waitForLine(/^\d\d:\d\d:\d\d app\/routes\/status\.ts changed: restarted in \d+ ms$/, SOON);
    await write(STATUS, statusRoute("'two'"));
    await answers('two');
    await told;
    await write('app/routes/status.ts~new', statusRoute("'three'"));
    await rename(at('app/routes/status.ts~new'), at(STATUS));
    await answers('three');
    await rename(at(STATUS), at('app/routes/status.ts~'));
    await write(STATUS, statusRoute("'four'"));
    await answers('four');
    isOver = true;
    await asking;
    expect(failures).toEqual([]);
  });

  test('serves what was saved while an earlier save was built', async () => {
    for (let pause = 0; pause < 300; pause += 20) {
      await write(STATUS, statusRoute(`'early ${pause}'`));
      await delay(pause);
      await write(STATUS, statusRoute(`'late ${pause}'`));
      await answers(`late ${pause}`);
    }
  });

  test('lets a connection wait that was opened before it sent anything', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    await write(STATUS, statusRoute("'five'"));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    await answers('five');
  });

  test('has a new route module, and a removed one, without a further step', async () => {
    await write(
      'app/routes/late.ts',
      statusRoute("'late'").replace("'/'", "'/late'").replace("'status'", "'late'").replace('readStatus', 'readLate'),
    );
    await untilAnswered(({ text }) => text === '{"status":"late"}', '/late');
    await rm(at('app/routes/late.ts'));
    await untilAnswered(({ status }) => status === 404, '/late');
  });

  test('shows a mistake with its lines, in the terminal and to whoever asks, and goes on when it is mended', async () => {
    await write(STATUS, statusRoute("'six' ;;;)"));
    const page = await untilAnswered(({ status }) => status === 503, '/', 'text/html');
    expect(page.text).toContain('app/routes/status.ts:6:');
    expect(page.text).toMatch(/>&#62; 6 \|.*six/);
    const { text } = await asked();
    const { problems } = JSON.parse(text) as { problems: readonly { place: string }[] };
    expect(problems[0]?.place).toMatch(/^app\/routes\/status\.ts:6:\d+$/);
    await dev.waitForLine(/^\s+> 6 \| /, SOON);
    const [, events = ''] = /new EventSource\("([^"]+)"\)/.exec(page.text) ?? [];
    const stream = await fetch(url + events);
    await write(STATUS, statusRoute("'seven'"));
    await answers('seven');
    expect(await stream.text()).toContain('event: reload');
  });

  test('says what a start failed with at the line that threw', async () => {
    await write(STATUS, `throw new Error('not today');\n${statusRoute("'eight'")}`);
    const { text } = await untilAnswered(({ status }) => status === 503);
    expect(JSON.parse(text)).toMatchObject({
      title: 'The application does not start',
      problems: [{ message: expect.stringContaining('not today'), place: 'app/routes/status.ts:1:7' }],
    });
    expect(await registered()).toMatchObject({ state: 'failed', problem: expect.stringContaining('not today') });
    await write(STATUS, statusRoute("'nine'"));
    await answers('nine');
  });

  test('says that the application has ended, and starts it with the next save', async () => {
    await write(STATUS, statusRoute("(setImmediate(() => { throw new Error('gone'); }), 'ten')"));
    await untilAnswered(({ text }) => text.includes('The application has ended') && text.includes('gone'));
    await write(STATUS, statusRoute("'eleven'"));
    await answers('eleven');
  });

  test('adds the column of a new property before the next answer', async () => {
    await mkdir(at('app/models'), { recursive: true });
    const model = (more: string) => `import { db, table, type Int } from 'fw/orm';

@table('notes')
export class Note {
  @db('id,pk,autoincrement')
  id!: Int;
${more}
}
`;
    await write('app/models/note.ts', model(''));
    await dev.waitForLine(/app\/models\/note\.ts added: restarted/, SOON);
    await write('app/models/note.ts', model("\n  @db('mood,nullable')\n  mood!: string | null;"));
    await dev.waitForLine(/changed notes to what the models say/, SOON);
    await answers('eleven');
  });

  test('starts anew for .env', async () => {
    await write('.env', 'A=1\n');
    await dev.waitForLine(/\.env added: restarted/, SOON);
  });

  test('has a process wait with the models loaded, which serves the next route and not the next environment', async () => {
    const loaded: string[] = [];
    const listening = dev.onLine((line) => void loaded.push(...(/^note loaded by (\d+)$/.exec(line)?.slice(1) ?? [])));
    /** The process behind the one that serves, which has loaded the models and waits. */
    const waitingBehind = () =>
      until(async () => {
        const [, serving = ''] = /"(\d+) /.exec((await asked()).text) ?? [];
        const alive = loaded.filter((pid) => !isGone(Number(pid)));
        return alive.length === 2 && alive.includes(serving) ? alive.find((pid) => pid !== serving) : undefined;
      }, 'process that waits');
    // At once, so that nobody finds half of it and restarts for that.
    const saveRoute = async (more: string) => {
      await write('app/routes/status.ts~new', route(more));
      await rename(at('app/routes/status.ts~new'), at(STATUS));
    };
    const route = (more: string) =>
      statusRoute(`process.pid + ' ' + String(Reflect.get(globalThis, 'mood')) + '${more}'`);
    await mkdir(at('app/models'), { recursive: true });
    await write('.env', 'MOOD=calm\n');
    await write(
      'app/models/note.ts',
      `import { db, table, type Int } from 'fw/orm';

@table('moods')
export class Note {
  @db('id,pk,autoincrement')
  id!: Int;
}
Reflect.set(globalThis, 'mood', process.env['MOOD']);
console.log('note loaded by ' + process.pid);
`,
    );
    await saveRoute('');
    await untilAnswered((answer) => answer.text.includes(' calm"'));
    const waiting = await waitingBehind();
    await saveRoute('er');
    await untilAnswered((answer) => answer.text === JSON.stringify({ status: `${waiting} calmer` }));
    const next = await waitingBehind();
    await write('.env', 'MOOD=wild\n');
    const { text: last } = await untilAnswered((answer) => answer.text.includes(' wilder"'));
    expect(last).not.toContain(`"${next} `);
    await until(async () => isGone(Number(next)) || undefined, 'end of the process that waited');
    listening();
    await write(STATUS, statusRoute("'eleven'"));
    await answers('eleven');
  });

  test('leaves nothing behind when it ends, and takes what a killed one left for what it is', async () => {
    const pid = dev.pid;
    process.kill(pid, 'SIGKILL');
    await dev.exited;
    expect(existsSync(entry())).toBe(true);
    await until(async () => {
      const isRefused = await asked().then(
        () => false,
        () => true,
      );
      return isRefused ? true : undefined;
    }, 'refusal');
    dev = await startDev();
    [, url = ''] = await dev.waitForLine(/Application\s+(http:\S+)/, SOON);
    await answers('eleven');
    process.kill(dev.pid, 'SIGINT');
    expect(await dev.exited).toMatchObject({ exitCode: 0 });
    expect(existsSync(entry())).toBe(false);
    expect(isGone(dev.pid)).toBe(true);
    await expect(asked()).rejects.toThrow();
  });

  test('says at its address why not even the first start succeeds, and serves there once that is mended', async () => {
    await mkdir(at('no-file'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // Plugins that start before the server is open fail as this one does.
    await write('.env', 'DATABASE_FILE=no-file\n');
    dev = await startDev(port);
    await dev.waitForLine(/The application does not start/, SOON);
    const { text } = await untilAnswered(({ status }) => status === 503);
    expect(JSON.parse(text)).toMatchObject({
      title: 'The application does not start',
      problems: [{ message: expect.stringContaining('no-file') }],
    });
    await write('.env', '');
    await answers('eleven');
  });

  test('says at its address why not even the first build succeeds', async () => {
    await dev.stop({ graceMs: 10_000 });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    await rm(at('dist'), { recursive: true });
    await write(STATUS, statusRoute("'twelve'").replace('});', '};'));
    dev = await startDev(port);
    const found = await until(() => asked().catch(() => undefined), 'open address');
    expect(found.status).toBe(503);
    expect(JSON.parse(found.text)).toMatchObject({
      title: 'Code generation found mistakes',
      problems: [{ place: expect.stringMatching(/^app\/routes\/status\.ts:/) }],
    });
    await write(STATUS, statusRoute("'twelve'"));
    await answers('twelve');
  });
});
