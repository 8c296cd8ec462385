import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@jest/globals';
import { runProcess } from '../../process/index.js';
import { until } from '../../testing/until.js';
import { baseImageRoot } from './base-image.js';
import { assertGreen, run } from './installed-framework.js';

const MINUTE = 60_000;
const SETTINGS = ['CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF', 'CONTAINERS_REGISTRIES_CONF', 'DOCKER_HOST'];

/** What tests with containers need, and how it is given. */
export const CONTAINERS = { variable: 'FW_TEST_CONTAINERS', hint: 'a container runtime, by name: podman or docker' };

/** A container of an application that answers. */
interface Served {
  readonly id: string;
  readonly url: string;
}

/** Images of applications by their own Dockerfiles, on the Node of this machine: nothing is fetched. */
export class ImageRoom {
  readonly #images: string[] = [];
  // Of what a build leaves behind that has no name.
  readonly #label = `fw.test=${randomBytes(4).toString('hex')}`;

  private constructor(
    private readonly runtime: string,
    private readonly folder: string,
  ) {}

  /** @param folder - where its files go, which nobody else uses */
  static async open(runtime: string, folder: string): Promise<ImageRoom> {
    await mkdir(folder, { recursive: true });
    const room = new ImageRoom(runtime, folder);
    const root = path.join(folder, 'root');
    await baseImageRoot(root, (command, args) => run(command, args, folder).then((ended) => assertGreen(ended).stdout));
    assertGreen(await run('tar', ['--create', '--file', 'base.tar', '--directory', root, '.'], folder));
    await room.do('import', '--change', 'ENV PATH=/usr/bin:/bin', 'base.tar', room.#named('base'));
    return room;
  }

  /** Runs a command of the runtime. @returns what it printed */
  async do(...args: string[]): Promise<string> {
    const limits = { timeoutMs: 10 * MINUTE, maxOutputBytes: 4_000_000 };
    const ended = await runProcess({ command: this.runtime, args, cwd: this.folder, inherit: SETTINGS, ...limits });
    return assertGreen(ended).stdout;
  }

  /**
   * Makes the image of a project whose bundle is made. The build stage of the Dockerfile needs npm and its registry, which a test machine
   * need not let containers reach: its steps are those of the caller, and the second stage is made of what they gave.
   *
   * @returns its name
   */
  async imageOf(project: string): Promise<string> {
    const stages = (await readFile(path.join(project, 'Dockerfile'), 'utf8')).split(/^(?=FROM )/m);
    expect(stages.length).toBe(3);
    expect(stages[1]).toContain('RUN ["npm", "run", "bundle"]');
    const image = this.#named('app');
    const context = path.join(this.folder, `context-${this.#images.length}`);
    await cp(path.join(project, 'dist/bundle'), path.join(context, 'build/dist/bundle'), { recursive: true });
    await mkdir(path.join(context, 'data'));
    const build = `FROM scratch AS build\nLABEL ${this.#label}\nCOPY . /\n\n`;
    await writeFile(path.join(context, 'Dockerfile'), [stages[0], build, stages[2]].join(''));
    const base = `RUN_IMAGE=${this.#images[0]}`;
    await this.do('build', '--format', 'docker', '--build-arg', base, '--tag', image, context);
    return image;
  }

  /** Runs an image with what `docker run` is told, and takes the container away when the check is over. */
  async served(image: string, options: readonly string[], check: (served: Served) => Promise<void>): Promise<void> {
    const id = (await this.do('run', '--detach', ...options, '--publish', '127.0.0.1::3000', image)).trim();
    try {
      const [, port] = /:(\d+)\s*$/.exec(await this.do('port', id, '3000')) ?? [];
      const url = `http://127.0.0.1:${port}`;
      const isReady = () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(isReady, 'container that is ready', 2 * MINUTE);
      await check({ id, url });
    } finally {
      await this.do('rm', '--force', '--volumes', id);
    }
  }

  /** Takes away what it has made. */
  async close(): Promise<void> {
    await this.do('rmi', '--force', ...this.#images);
    await this.do('image', 'prune', '--force', '--filter', `label=${this.#label}`);
  }

  #named(what: string): string {
    const name = `fw-test-${what}-${randomBytes(4).toString('hex')}:1`;
    this.#images.push(name);
    return name;
  }
}
