import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { HOST_PORTS } from '../runtime/container-ports.js';
import { isFree } from './free-port.js';
import { type RegistryEntry, RegistryFile } from './registry-file.js';
import { ServiceRegistry } from './reservations.js';

let folder: string;
const servers: Server[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-registry-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true });
});

/** The registry as another server of the same user has it. */
const registry = () => new ServiceRegistry(new RegistryFile(folder));
const file = () => path.join(folder, 'fw-mcp-provisioned.json');
const wanted = (service: string) => ({ service, container: `fw-${service}`, purposes: ['control', 'app'] as const });
const entry = (service: string, ports: object): RegistryEntry => ({
  ...{ service_name: service, container_id: `id-${service}`, container_name: `fw-${service}`, host: '127.0.0.1' },
  ...{ image: 'a:1', created_at: new Date(0).toISOString(), ports: ports as RegistryEntry['ports'] },
});
const code = (expected: string) => expect.objectContaining({ code: expected });

async function listen(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  servers.push(server);
}

describe('the registry of provisioned services', () => {
  test('gives calls that race with each other different ports, over several servers', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
    const held = await Promise.all(names.map((name) => registry().reserve([wanted(name)], undefined)));
    const ports = held.flatMap(({ ports: each }) => [...each.values()].flatMap((of) => Object.values(of)));
    expect(new Set(ports).size).toBe(16);
    for (const port of ports) expect(port).toBeGreaterThanOrEqual(HOST_PORTS.first);
  });

  test('keeps ports and names over a restart, and leaves out ports that others listen on', async () => {
    let taken: number = HOST_PORTS.first;
    while (!(await isFree(taken))) taken++;
    await listen(taken);
    const { call, ports } = await registry().reserve([wanted('a')], undefined);
    const own = ports.get('a') ?? {};
    expect(Object.values(own)).not.toContain(taken);
    await registry().register(call, entry('a', own));
    await registry().release(call);
    const later = await registry().reserve([wanted('b')], undefined);
    expect(Object.values(later.ports.get('b') ?? {})).not.toEqual(expect.arrayContaining(Object.values(own)));
    await expect(registry().reserve([wanted('a')], undefined)).rejects.toEqual(code('FW_PROVISION_NAME_TAKEN'));
    await expect(registry().reserve([{ ...wanted('c'), container: 'fw-b' }], undefined)).rejects.toThrow(
      /fw-b is in use: service b is being/,
    );
  });

  test('takes names and ports for all services of a call or for none, and gives them back', async () => {
    const { call } = await registry().reserve([wanted('a')], undefined);
    await expect(registry().reserve([wanted('b'), wanted('a')], undefined)).rejects.toEqual(
      code('FW_PROVISION_NAME_TAKEN'),
    );
    await registry().release(call);
    const again = await registry().reserve([wanted('b'), wanted('a')], undefined);
    expect(again.ports.size).toBe(2);
  });

  test('gives a service other ports when somebody has taken one of them meanwhile', async () => {
    const { call, ports } = await registry().reserve([wanted('a')], undefined);
    const [first = 0] = Object.values(ports.get('a') ?? {});
    await listen(first);
    const replaced = await registry().replacePorts(call, 'a');
    expect(Object.keys(replaced)).toEqual(['control', 'app']);
    expect(Object.values(replaced)).not.toContain(first);
  });

  test('hands over what calls have left whose process is gone', async () => {
    const { call } = await registry().reserve([wanted('a')], 'fw-net-00000000');
    const content = JSON.parse(await readFile(file(), 'utf8')) as { reservations: { pid: number; since: string }[] };
    Object.assign(content.reservations[0] ?? {}, { since: new Date(0).toISOString() });
    await writeFile(file(), JSON.stringify(content));
    const { abandoned } = await registry().reserve([wanted('a')], undefined);
    expect(abandoned).toMatchObject([{ call, network: 'fw-net-00000000', services: [{ container_name: 'fw-a' }] }]);
  });

  test('is readable for its owner only, is replaced as a whole, and has no field for a token', async () => {
    const { call, ports } = await registry().reserve([wanted('a')], undefined);
    const own = ports.get('a') ?? {};
    const withToken = { ...entry('a', own), control_token: 'hunter2' } as RegistryEntry;
    await registry().register(call, withToken);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['fw-mcp-provisioned.json']);
    await expect(registry().services()).rejects.toEqual(code('FW_PROVISION_REGISTRY'));
  });

  test.each([
    ['{'],
    ['[]'],
    ['{"version":2,"services":[],"reservations":[]}'],
    ['{"version":1,"services":[{}],"reservations":[]}'],
  ])('does not take a damaged list for an empty one: %s', async (text) => {
    await writeFile(file(), text);
    await expect(registry().services()).rejects.toEqual(code('FW_PROVISION_REGISTRY'));
    await expect(registry().reserve([wanted('a')], undefined)).rejects.toEqual(code('FW_PROVISION_REGISTRY'));
    expect(await readFile(file(), 'utf8')).toBe(text);
  });
});
