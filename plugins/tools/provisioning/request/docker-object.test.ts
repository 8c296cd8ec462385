import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DOCKER_FIELDS, readDockerObject } from './docker-object.js';

const refusal = (given: unknown): string => {
  try {
    readDockerObject(given);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

describe('the docker object of a provisioning request', () => {
  test('has defaults for every field, and takes blank text for the default [PROV-DOCKER-01]', () => {
    const defaults = {
      ...{ host: '127.0.0.1', imageTag: undefined, containerName: undefined, env: {}, skipBuild: false },
      ...{ waitSeconds: 30, enableAppMcp: false },
    };
    expect(readDockerObject(undefined)).toEqual(defaults);
    expect(readDockerObject({ host: ' ', image_tag: '', container_name: '', wait_seconds: 0 })).toEqual(defaults);
    expect(readDockerObject({ image_tag: 'shop/orders', container_name: 'orders', wait_seconds: -1 })).toMatchObject({
      ...{ imageTag: 'shop/orders:latest', containerName: 'orders', waitSeconds: -1 },
    });
  });

  test.each([
    { id: 'PROV-DOCKER-PRIVILEGED', field: 'privileged', value: true },
    { id: 'PROV-DOCKER-VOLUMES', field: 'volumes', value: ['/:/host'] },
    { id: 'PROV-DOCKER-NETWORK-MODE', field: 'network_mode', value: 'host' },
    { id: 'PROV-DOCKER-CAP-ADD', field: 'cap_add', value: ['SYS_ADMIN'] },
    { id: 'PROV-DOCKER-DEVICES', field: 'devices', value: ['/dev/kvm'] },
  ])(
    'refuses $field by name, also where its value would change nothing [$id] [ERR-PROV-DOCKER]',
    ({ field, value }) => {
      for (const each of [value, undefined, null, false, '', []]) {
        expect(refusal({ image_tag: 'a', [field]: each })).toMatch(
          new RegExp(`^docker\\.${field} is refused: .*Accepted fields: host, image_tag`),
        );
      }
      expect(refusal({ [field.toUpperCase()]: value })).toContain(`docker.${field.toUpperCase()} is refused`);
    },
  );

  test('refuses every other field that is not listed, whatever it is called [PROV-DOCKER-UNLISTED] [ERR-PROV-DOCKER]', () => {
    for (const field of [
      'wait_second',
      'Env',
      'user',
      'entrypoint',
      'security_opt',
      'pid_mode',
      'mounts',
      '__proto__',
      'constructor',
      'toString',
      '',
    ]) {
      expect(refusal(JSON.parse(`{${JSON.stringify(field)}: {}}`))).toContain(`docker.${field} is refused`);
    }
    fc.assert(
      fc.property(fc.string(), fc.anything(), (field, value) => {
        fc.pre(!DOCKER_FIELDS.includes(field));
        expect(refusal(Object.fromEntries([[field, value]]))).toContain('is refused');
      }),
    );
  });

  test.each([
    ['host', '--privileged', 'docker.host'],
    ['host', 'a/b', 'docker.host'],
    ['image_tag', 'Upper/case', 'docker.image_tag'],
    ['image_tag', 'registry.example.org/shop', 'docker.image_tag'],
    ['image_tag', 'localhost/shop', 'docker.image_tag'],
    ['image_tag', 'localhost:5000/shop', 'docker.image_tag'],
    ['image_tag', 'shop@sha256:00', 'docker.image_tag'],
    ['image_tag', '--network=host', 'docker.image_tag'],
    ['image_tag', 7, 'docker.image_tag'],
    ['container_name', '-v/:/host', 'docker.container_name'],
    ['container_name', 'a..b', 'docker.container_name'],
    ['container_name', 'x'.repeat(61), 'docker.container_name'],
    ['wait_seconds', 1.5, 'docker.wait_seconds'],
    ['wait_seconds', 3601, 'docker.wait_seconds'],
    ['skip_build', 'yes', 'docker.skip_build'],
    ['skip_build', true, 'docker.image_tag'],
    ['env', [], 'docker.env'],
    ['env', { 'A=B': '' }, 'docker.env'],
    ['env', { '-e': '' }, 'docker.env'],
    ['env', { A: 1 }, 'docker.env.A'],
    ['env', { A: 'x'.repeat(32_769) }, 'docker.env.A'],
    ['env', { FW_MCP_TOKEN: 'x' }, 'docker.env'],
    ['env', { fw_mcp_scope: 'x' }, 'docker.env'],
    ['env', { FLEET_AGGREGATOR_PORT: '1' }, 'docker.env'],
    ['env', { LD_PRELOAD: '/tmp/x.so' }, 'docker.env'],
    ['env', { NODE_OPTIONS: '--require /tmp/x.cjs' }, 'docker.env'],
    ['env', { Path: '/tmp' }, 'docker.env'],
    ['env', { npm_config_node_options: '' }, 'docker.env'],
    ['env', { PORT: '80' }, 'docker.env'],
  ])('refuses %s: %j, and names the field', (field, value, named) => {
    expect(refusal({ [field]: value })).toContain(named);
  });

  test('never shows the value of a variable that it refuses', () => {
    expect(refusal({ env: { A: `hunter2${'x'.repeat(40_000)}` } })).not.toContain('hunter2');
    expect(refusal({ env: { 'A B': 'hunter2' } })).not.toContain('hunter2');
  });
});
