import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { glob } from 'tinyglobby';
import { WebSocket } from 'ws';
import { type RunResult, startProcess } from '../../process/index.js';
import { assertGreen, INSTALL_MS, installedFramework, installProject, run } from './installed-framework.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}
interface Allowed {
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

let folder: string;
let shop: string;

const npm = (...args: string[]) => run('npm', args, shop);
const fw = (args: readonly string[], cwd = shop): Promise<RunResult> =>
  run(path.join(cwd, 'node_modules/.bin/fw'), args, cwd);

async function echoOf(url: string): Promise<string> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  socket.send('a message');
  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  return String(answer);
}

const expectGreen = async (ended: RunResult): Promise<void> => void assertGreen(ended);

describe('a project made by fw new, in an empty folder outside the repository', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-new-'));
    shop = path.join(folder, 'shop');
    const framework = await installedFramework();
    assertGreen(await run(path.join(framework, 'node_modules/.bin/fw'), ['new', 'shop'], folder));
    await installProject(shop);
  }, INSTALL_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('can be installed again from its lock file, with no script that it does not name', async () => {
    await expectGreen(await npm('ci', '--dry-run', '--prefer-offline'));
    const lock = JSON.parse(await readFile(path.join(shop, 'package-lock.json'), 'utf8')) as LockFile;
    const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript = false }]) => hasInstallScript);
    const { allowScripts } = JSON.parse(await readFile(path.join(shop, 'package.json'), 'utf8')) as Allowed;
    expect(scripted).not.toEqual([]);
    for (const [place] of scripted) expect(allowScripts).toHaveProperty([place.replace(/^.*node_modules\//, '')]);
  });

  test('has a framework that does not know where it was built', async () => {
    const framework = path.join(shop, 'node_modules/fw');
    const files = await glob(['**'], { cwd: framework, ignore: ['node_modules/**'] });
    expect(files.length).toBeGreaterThan(300);
    const places = [`${ROOT.slice(1)}/node_modules`, /fw-pack-\w{6}\//];
    const told = async (file: string) => {
      const text = await readFile(path.join(framework, file), 'utf8');
      return places.some((place) => text.search(place) >= 0);
    };
    const tells = await Promise.all(files.map(told));
    expect(files.filter((_, at) => tells[at])).toEqual([]);
  });

  test('generates related resources', async () => {
    await expectGreen(await fw(['generate', 'resource', 'Customer', 'name:string', 'email:string:email,unique']));
    const order = [
      'number:string:required,max=20',
      'status:string:oneof=open paid',
      'placedAt:date',
      'note:text?',
      'total:decimal:min=0.01,max=999.5',
    ];
    const made = await fw(['g', 'resource', 'Order', ...order, 'customer:Customer']);
    await expectGreen(made);
    expect(made.stdout).toContain('edited app/models/customer.ts: Customer has many orders');
    expect(await readFile(path.join(shop, 'app/models/customer.ts'), 'utf8')).toContain('orders?: HasMany<Order>;');
  });

  test('generates every other kind', async () => {
    for (const args of [
      ['handler', 'Report'],
      ['event', 'OrderPaid', 'orderId:int'],
      ['listener', 'OrderPaid'],
      ['middleware', 'RequestClock'],
      ['ws', 'Chat'],
      ['job', 'Cleanup', '--every=5m'],
      ['plugin', 'Greeter'],
      ['tool', 'Greeting'],
      ['migration', 'AddPhone'],
      ['client'],
    ]) {
      await expectGreen(await fw(['generate', ...args]));
    }
  });

  test('adds features in the required order, and keeps the layout of app.config.ts', async () => {
    const file = path.join(shop, 'app.config.ts');
    const before = await readFile(file, 'utf8');
    await writeFile(
      file,
      before.replace(
        "    plugin(() => import('fw/docs')",
        "    // Read by people.\n    plugin(() => import('fw/docs')",
      ),
    );
    for (const feature of ['compression', 'etag', 'cors', 'ratelimit', 'i18n', 'fleet', 'dashboard', 'events', 'ws']) {
      await expectGreen(await fw(['add', feature]));
    }
    await expectGreen(await fw(['add', 'static', '--prefix', '/files', '--root', 'web']));
    await expectGreen(await fw(['add', 'migrations']));
    await expectGreen(await fw(['add', 'jwt', '--methods', 'POST,PUT,DELETE']));
    const after = await readFile(file, 'utf8');
    expect(after).toContain("    // Read by people.\n    plugin(() => import('fw/docs')");
    const order = [...after.matchAll(/import\('fw\/([\w/-]+)'\)/g)].map(([, name]) => name);
    expect(order).toEqual([
      'http',
      'events',
      'fleet/tracer',
      'dashboard',
      'middleware/recovery',
      'middleware/logging',
      'middleware/rate-limit',
      'middleware/locale',
      'middleware/cors',
      'middleware/security-headers',
      'middleware/jwt',
      'middleware/etag',
      'middleware/compression',
      'docs',
      'static',
      'websocket',
      'orm',
    ]);
  });

  test('passes its type check', async () => expectGreen(await npm('run', 'typecheck')));

  test('passes its lint', async () => expectGreen(await npm('run', 'lint')));

  test('passes its own tests', async () => {
    const ended = await npm('test');
    await expectGreen(ended);
    expect(ended.stderr).toMatch(/Tests: +1[0-9] passed/);
  });

  test('starts, serves its resources, and asks for a token where one is needed', async () => {
    await writeFile(path.join(shop, 'web/hello.txt'), 'hello');
    // Where the README of the project wants it.
    await writeFile(path.join(shop, '.env'), 'JWT_ACCESS_SECRET=a secret of this test: 0123456789abcdef\n');
    // The migration that was generated by hand comes first: a diff compares with a database that has them all.
    await expectGreen(await npm('run', 'migrate'));
    await expectGreen(await npm('run', 'migrate:diff'));
    await expectGreen(await npm('run', 'migrate'));
    const app = await startProcess({
      command: path.join(shop, 'node_modules/.bin/fw'),
      args: ['start'],
      cwd: shop,
      env: { PORT: '0' },
    });
    try {
      const [, url = ''] = await app.waitForLine(/Application +(http:\/\/127\.0\.0\.1:\d+)/, {
        timeoutMs: PATIENCE_MS,
      });
      expect(await (await fetch(`${url}/api/orders`)).json()).toEqual({ orders: [], total: 0 });
      const refused = await fetch(`${url}/api/customers`, { method: 'POST', body: '{}' });
      expect(refused.status).toBe(401);
      const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
      expect(Object.keys(paths['/api/orders/{id}'] ?? {}).sort()).toEqual(['delete', 'get', 'patch', 'put']);
      expect((await fetch(`${url}/docsui`)).status).toBe(200);
      expect(await (await fetch(`${url}/files/hello.txt`)).text()).toBe('hello');
      expect(await echoOf(`${url.replace('http', 'ws')}/ws`)).toBe('a message');
      expect(await echoOf(`${url.replace('http', 'ws')}/ws/chat`)).toBe('a message');
    } finally {
      await app.stop({ graceMs: 5_000 });
    }
  });

  test('makes a further project itself, from the template minimal, that passes its own tests', async () => {
    const made = await fw(['new', 'small', '--template', 'minimal']);
    await expectGreen(made);
    const small = path.join(shop, 'small');
    const readme = await readFile(path.join(small, 'README.md'), 'utf8');
    const [, first = ''] = /^```\n([^`]+)```$/m.exec(readme) ?? [];
    expect(made.stdout).toContain(`next: cd small && ${first.trim().replaceAll('\n', ' && ')}\n`);
    const [one, other] = await Promise.all(
      [small, shop].map((root) => readFile(path.join(root, 'vendor/fw-0.1.0.tgz'))),
    );
    // Jest compares millions of bytes one by one.
    expect(one?.equals(other as Buffer)).toBe(true);
    // Everything that it needs is installed next door.
    await symlink(path.join(shop, 'node_modules'), path.join(small, 'node_modules'));
    await expectGreen(await run('npm', ['run', 'typecheck'], small));
    await expectGreen(await run('npm', ['run', 'lint'], small));
    await expectGreen(await run('npm', ['test'], small));
  }, 300_000);

  test('refuses kinds and names that it does not have, and says which there are', async () => {
    expect((await fw(['generate', 'grpc', 'Greeter'])).stderr).toContain('gRPC is not part of the framework');
    expect((await fw(['generate', 'model', 'order'])).stderr).toContain('the first a capital');
    expect((await fw(['add', 'crs'])).stderr).toContain('Did you mean "cors"?');
    expect((await fw(['new', 'small'])).stderr).toContain('exists already');
  });
});
