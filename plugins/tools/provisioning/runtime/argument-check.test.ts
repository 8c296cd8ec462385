import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readDockerObject } from '../request/docker-object.js';
import { checkedName } from '../request/values.js';
import { checkArguments } from './argument-check.js';

const RUN = ['run', '--detach', '--name', 'fw-shop', '--cap-drop', 'all', 'fw-provisioned/shop:latest'];
const NETWORK = 'fw-net-0123abcd';

const refusal = (args: readonly string[], made?: ReadonlySet<string>): string => {
  try {
    checkArguments(args, made);
  } catch (error) {
    return (error as Error).message;
  }
  return 'permitted';
};

/** The arguments with one more, at each place behind the operation. */
const everywhere = (...more: string[]) =>
  RUN.slice(1).map((_, at) => [...RUN.slice(0, at + 1), ...more, ...RUN.slice(at + 1)]);

describe('the check of every call of a container runtime', () => {
  test.each([
    { id: 'PROV-ARGS-MOUNT', grants: 'mounts folders', flags: '-v --volume --mount --volumes-from --tmpfs' },
    {
      id: 'PROV-ARGS-PRIVILEGE',
      grants: 'grants a privilege',
      flags:
        '--privileged --cap-add --device --device-cgroup-rule --security-opt --user -u --group-add --sysctl --runtime --ulimit --oom-kill-disable --restart --pull --gpus',
    },
    {
      id: 'PROV-ARGS-NAMESPACE',
      grants: 'shares a namespace',
      flags: '--net --pid --ipc --uts --userns --cgroupns --cgroup-parent --link --add-host -P --publish-all',
    },
    { id: 'PROV-ARGS-ENTRYPOINT', grants: 'replaces what runs', flags: '--entrypoint --init --rootfs' },
  ])('refuses what $grants, wherever it stands [PROV-ARGS-01] [$id]', ({ grants, flags }) => {
    expect(refusal(RUN)).toBe('permitted');
    for (const flag of flags.split(' ')) {
      for (const form of [[flag], [flag, 'x'], [`${flag}=x`]]) {
        for (const args of everywhere(...form))
          expect([args, refusal(args)]).toEqual([args, expect.stringContaining(grants)]);
      }
    }
  });

  test.each([
    ['a short option glued to its value', ['-v/:/host']],
    ['another short option', ['-u0']],
    ['a bundle of short options', ['-itv', '/:/host']],
    ['files of the host', ['--env-file', '/etc/passwd']],
    ['a value instead of a name', ['--env', 'FW_MCP_TOKEN=secret']],
    ['a variable of the runtime itself', ['--env', 'DOCKER_HOST']],
    ['a port on every address', ['--publish', '49152:3000']],
    ['a port outside the range', ['--publish', '127.0.0.1:80:3000']],
    ['a port that is none of a service', ['--publish', '127.0.0.1:49152:22']],
    ['the network of the host', ['--network', 'host']],
    ['the network of another container', ['--network', 'container:x']],
    ['a network that the call has not made', ['--network', NETWORK]],
    ['an option with an equals sign', [`--network=${NETWORK}`]],
    ['a label of somebody else', ['--label', 'com.example=1']],
    ['fewer capabilities dropped', ['--cap-drop', 'NET_RAW']],
    ['a second image', ['fw-provisioned/other:latest']],
  ])('refuses %s', (_, more) => {
    expect(refusal([...RUN.slice(0, -1), ...more, ...RUN.slice(-1)], new Set(['fw-net-ffffffff']))).not.toBe(
      'permitted',
    );
  });

  test('has no option for a host mount: neither a request nor a call can name one [PROV-ARGS-02]', () => {
    for (const field of ['volumes', 'volume', 'mounts', 'mount', 'binds', 'tmpfs']) {
      expect(() => readDockerObject({ [field]: ['/:/host'] })).toThrow(`docker.${field} is refused`);
    }
    for (const option of ['--volume', '--mount', '-v', '--volumes-from', '--tmpfs']) {
      for (const args of everywhere(option, '/:/host')) expect([args, refusal(args)]).not.toEqual([args, 'permitted']);
    }
  });

  test('permits a private network only to the call that has made it', () => {
    const args = [...RUN.slice(0, -1), '--network', NETWORK, ...RUN.slice(-1)];
    expect(refusal(args, new Set([NETWORK]))).toBe('permitted');
    expect(refusal(args)).toContain('--network');
    expect(refusal([...RUN.slice(0, -1), '--network', 'host', ...RUN.slice(-1)], new Set(['host']))).toContain(
      '--network',
    );
  });

  test.each([
    [['exec', 'fw-shop', 'sh']],
    [['cp', 'fw-shop:/etc/passwd', '/tmp']],
    [['system', 'prune']],
    [['--root', '/tmp', 'run']],
    [['build', '--tag', 'a:1', '/']],
    [['build', '--tag', 'a:1', '/tmp/fw-provision-abcdef/image/..']],
    [['build', '--tag', 'registry.example.org/a:1', '/tmp/fw-provision-abcdef/image']],
    [['container', 'inspect', '--format', '{{json .Config.Env}}', 'fw-shop']],
    [['rm', '--force', 'fw-shop']],
    [['rm', 'fw-shop', 'other']],
    [[]],
  ])('refuses %j, which is none of its operations', (args) => {
    expect(refusal(args)).not.toBe('permitted');
  });

  test('permits nothing that is made of arbitrary words, unless it has a permitted form', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        ...RUN,
        'build',
        'rm',
        'host',
        '-',
        '--',
        '=',
        NETWORK,
        '--network',
        '--env',
        '--publish',
        '127.0.0.1:49152:3000',
        'FW_MCP_TOKEN',
      ),
    );
    const forms = /^(version|build|run|container inspect|image inspect|logs|stop|rm|rmi|network (create|rm))( |$)/;
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (args) => {
        if (refusal(args) !== 'permitted') return;
        expect(args.join(' ')).toMatch(forms);
        const options = args.filter((each) => each.startsWith('-'));
        const allowed = [
          '--detach',
          '--name',
          '--label',
          '--env',
          '--publish',
          '--cap-drop',
          '--format',
          '--tag',
          '--tail',
          '--time',
        ];
        expect(options.every((each) => allowed.includes(each))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test('permits what any accepted request becomes, and no accepted name reads as an option', () => {
    const request = fc.record(
      {
        image_tag: fc.string(),
        container_name: fc.string(),
        host: fc.string(),
        env: fc.dictionary(fc.string(), fc.string()),
      },
      { requiredKeys: [] },
    );
    const text = fc.stringMatching(/^[a-zA-Z0-9_.:/=-]{1,70}$/);
    const likely = fc.record(
      { image_tag: text, container_name: text, env: fc.dictionary(text, fc.string()) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(request, likely), text, (docker, name) => {
        let args: string[];
        try {
          const { imageTag = 'fw-provisioned/x:latest', containerName } = readDockerObject(docker);
          const service = checkedName('name', name);
          const container = containerName ?? checkedName('name', `fw-${service}`);
          args = [
            'run',
            '--detach',
            '--name',
            container,
            '--label',
            `fw.service=${service}`,
            '--env',
            'FW_SERVICE_ENV',
            '--cap-drop',
            'all',
            imageTag,
          ];
        } catch {
          // Refused before it became an argument.
          return;
        }
        expect([args, refusal(args)]).toEqual([args, 'permitted']);
      }),
      { numRuns: 3_000 },
    );
  });
});
