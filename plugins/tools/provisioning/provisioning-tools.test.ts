import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Confirmation, isFwError, type Tool, type ToolContext, type ToolResult } from '../../../kernel/index.js';
import { ANY_TOOL, RecordingLogger } from '../../../kernel/testing/index.js';
import { callResult } from '../../mcp/protocol/call-result.js';
import { sizeProblems } from '../../mcp/testing/answer-size.js';
import { deprovisionService } from './deprovision-service.js';
import { listProvisionedServices } from './list-provisioned-services.js';
import { provisionFleet } from './provision-fleet.js';
import { provisionService } from './provision-service.js';
import { provisioningHost } from './provisioning-host.js';
import { callsOf, containersOf, writeFakeRuntime } from './testing/fake-runtime.js';

let folder: string;
let runtime: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-tools-'));
  runtime = await writeFakeRuntime(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const context = (answers: Confirmation): ToolContext => ({
  ...ANY_TOOL,
  confirm: () => Promise.resolve(answers),
  ...{ signal: new AbortController().signal, log: new RecordingLogger(), workspace: folder, readOnly: false },
  ...{ confine: async (each: string) => each, progress: () => undefined },
});

const MAKERS = {
  provision_service: provisionService,
  list_provisioned_services: listProvisionedServices,
  deprovision_service: deprovisionService,
  provision_fleet: provisionFleet,
};

type Answer = ToolResult<Record<string, unknown>> | { readonly error: string; readonly code: string };

async function call(
  name: keyof typeof MAKERS,
  input: object = {},
  program = runtime,
  answers: Confirmation = 'unasked',
): Promise<Answer> {
  const host = provisioningHost({ baseImage: 'base:1', runtime: program, stateDir: path.join(folder, 'state') });
  try {
    const result = await (MAKERS[name](host) as Tool).run(input as never, context(answers));
    expect(sizeProblems(name, callResult(name, result))).toEqual([]);
    return result as ToolResult<Record<string, unknown>>;
  } catch (error) {
    if (!isFwError(error)) throw error;
    return { error: error.message, code: error.code };
  }
}

const existing = (docker: object = {}) => ({
  name: 'shop',
  docker: { skip_build: true, image_tag: 'fw-provisioned/shop', wait_seconds: -1, ...docker },
});
const registry = async () =>
  JSON.parse(await readFile(path.join(folder, 'state/fw-mcp-provisioned.json'), 'utf8')) as object;
const NOTHING = { version: 1, services: [], reservations: [] };

describe('without a runtime', () => {
  test.each([
    ['provision_service', { name: 'shop' }],
    ['provision_fleet', { services: [{ name: 'shop' }] }],
  ] as const)('%s says what is missing and what to install', async (name, input) => {
    expect(await call(name, input, 'no-such-runtime')).toEqual({
      code: 'FW_PROVISION_RUNTIME',
      error: expect.stringMatching(/no-such-runtime is not installed\. Install podman .*apt-get install podman/),
    });
    await writeFile(path.join(folder, 'no-engine'), '');
    expect(await call(name, input)).toEqual({
      code: 'FW_PROVISION_RUNTIME',
      error: expect.stringMatching(/engine does not answer \(Cannot connect to the Docker daemon\)\. Start its engine/),
    });
  });

  test('the list is still there, with unknown states, and a removal says what is missing', async () => {
    await call('provision_service', existing());
    expect(await call('list_provisioned_services', {}, 'no-such-runtime')).toMatchObject({
      structured: {
        count: 1,
        services: [{ service_name: 'shop', status: 'unknown' }],
        notes: [expect.stringContaining('not installed')],
      },
    });
    expect(await call('deprovision_service', { service_name: 'shop' }, 'no-such-runtime')).toMatchObject({
      code: 'FW_PROVISION_RUNTIME',
    });
  });
});

describe('provision_service', () => {
  test('hands secrets over by environment only: they are in no argument and in no file', async () => {
    const env = { DATABASE_URL: 'postgres://secret@db', NOTE: 'two\nlines' };
    const answer = (await call('provision_service', existing({ env, enable_app_mcp: true }))) as ToolResult<
      Record<string, string>
    >;
    const { control_token = '', app_mcp_token = '' } = answer.structured;
    expect(control_token).toMatch(/^[0-9a-f]{64}$/);
    expect(answer.structured).toMatchObject({
      service_name: 'shop',
      status: 'starting',
      container_id: expect.any(String),
    });
    const calls = await callsOf(runtime);
    const run = calls.find(({ args }) => args[0] === 'run');
    expect(run?.env).toMatchObject({
      FW_MCP_TOKEN: control_token,
      FW_APP_MCP_TOKEN: app_mcp_token,
      FW_SERVICE_ENV: JSON.stringify(env),
    });
    expect(run?.env).not.toHaveProperty('DATABASE_URL');
    for (const secret of [control_token, app_mcp_token, 'postgres://']) {
      expect(JSON.stringify(calls.map(({ args }) => args))).not.toContain(secret);
      expect(JSON.stringify(await registry())).not.toContain(secret);
      expect(JSON.stringify(await call('list_provisioned_services'))).not.toContain(secret);
    }
  });

  test.each([
    ['a name with shell syntax', { name: 'a;id' }, 'name is'],
    ['a name that is an option', { name: '--privileged' }, 'name is'],
    ['a name that no image can have', { name: 'Shop' }, 'lower-case'],
    ['a template that there is none of', { name: 'shop', template: 'views' }, 'template is'],
    ['a configuration beside skip_build', { ...existing(), config: { docs: {} } }, 'skip_build'],
    ['an image that somebody else built', existing({ image_tag: 'foreign' }), 'provisioning did not build it'],
    ['an image that is not there', existing({ image_tag: 'missing' }), 'there is none of that name'],
  ])('refuses %s, and starts nothing', async (_, input, words) => {
    expect(await call('provision_service', input)).toMatchObject({ error: expect.stringContaining(words) });
    expect((await callsOf(runtime)).filter(({ args }) => args[0] === 'run')).toEqual([]);
  });

  test('cleans up after a container that cannot start, and leaves one of the same name alone', async () => {
    await writeFile(path.join(folder, 'fail-run'), '');
    expect(await call('provision_service', existing())).toMatchObject({
      code: 'FW_PROVISION_CALL',
      error: expect.stringContaining('port is already allocated'),
    });
    expect([await containersOf(runtime), await registry()]).toEqual([[], NOTHING]);
    await rm(path.join(folder, 'fail-run'));
    const somebody = { 'fw-shop': { id: 'somebody', label: 'another call' } };
    await writeFile(path.join(folder, 'containers.json'), JSON.stringify(somebody));
    expect(await call('provision_service', existing())).toMatchObject({
      error: expect.stringContaining('already in use'),
    });
    expect([await containersOf(runtime), await registry()]).toEqual([['fw-shop'], NOTHING]);
  });

  test('says with which words an application ended, without the secrets that it printed, and removes it', async () => {
    await writeFile(path.join(folder, 'ended'), 'hunter2');
    const answer = await call('provision_service', existing({ wait_seconds: 5, env: { PASSWORD: 'hunter2' } }));
    expect(answer).toEqual({
      code: 'FW_PROVISION_START',
      error: expect.stringMatching(/exit code 7\).*the password is \*\*\*/),
    });
    expect([await containersOf(runtime), await registry()]).toEqual([[], NOTHING]);
  });
});

describe('deprovision_service', () => {
  test('leaves the service as it is when who is asked says no, and removes it after a yes', async () => {
    await call('provision_service', existing());
    const asked = (answers: Confirmation) => call('deprovision_service', { service_name: 'shop' }, runtime, answers);
    expect(await asked('no')).toMatchObject({
      isError: true,
      structured: { refused: true, reason: expect.stringMatching(/shop was left as it is/), manages: ['shop'] },
    });
    expect(await registry()).toMatchObject({ services: [{ service_name: 'shop' }] });
    expect(await asked('yes')).toMatchObject({ summary: expect.stringMatching(/shop was removed/) });
    expect(await registry()).toEqual(NOTHING);
  });

  test('removes what is on the list and refuses everything else without a call of the runtime', async () => {
    expect(await call('deprovision_service', { service_name: 'other' })).toMatchObject({
      isError: true,
      structured: { service_name: 'other', refused: true, manages: [] },
    });
    expect(await callsOf(runtime)).toEqual([]);
    await call('provision_service', existing());
    expect(await call('deprovision_service', { service_name: ' shop ', remove_image: true })).toMatchObject({
      structured: { service_name: 'shop', image_removed: true, network_removed: false, notes: [] },
    });
    expect([await containersOf(runtime), await registry()]).toEqual([[], NOTHING]);
  });
});

describe('provision_fleet', () => {
  test.each([
    ['no services', { services: [] }, 'services is 0'],
    ['more than twelve', { services: Array.from({ length: 13 }, (_, index) => ({ name: `s${index}` })) }, '1 to 12'],
    ['a name twice', { services: [{ name: 'a' }, { name: 'a' }] }, 'a name of its own'],
    ['a bad name, by its place', { services: [{ name: 'a' }, { name: '-b' }] }, 'services[1].name is'],
    [
      'a host that is none of them',
      { services: [{ name: 'a' }], aggregator: { hosted_by: 'b' } },
      'aggregator.hosted_by',
    ],
    [
      'one image for several',
      { services: [{ name: 'a' }, { name: 'b' }], docker: { image_tag: 'x' } },
      'docker.image_tag',
    ],
    ['variables of Fleet', { services: [{ name: 'a' }], docker: { env: { FLEET_WRITE_URL: '' } } }, 'FLEET_WRITE_URL'],
    ['a field of docker', { services: [{ name: 'a' }], docker: { volumes: [] } }, 'docker.volumes is refused'],
  ])('refuses %s before it does anything', async (_, input, words) => {
    expect(await call('provision_fleet', input)).toMatchObject({ error: expect.stringContaining(words) });
    expect(await callsOf(runtime)).toEqual([]);
  });
});
