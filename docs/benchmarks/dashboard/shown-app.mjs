import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { PRODUCT_ROOT } from '../harness/index.mjs';

/** A project outside the repository that depends on fw, and the applications that run in it. */
export class Project {
  /** @type {(() => Promise<unknown>)[]} */
  #ends = [];

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
  }

  static async make() {
    const folder = await mkdtemp(path.join(tmpdir(), 'fw-bench-dashboard-'));
    await cp(path.join(import.meta.dirname, 'server.mjs'), path.join(folder, 'server.mjs'));
    await mkdir(path.join(folder, 'node_modules'));
    await symlink(PRODUCT_ROOT, path.join(folder, 'node_modules/fw'));
    return new Project(folder);
  }

  /**
   * Starts the application in a process of its own.
   *
   * @param {string[]} args
   * @returns {Promise<string>} where it listens
   */
  async start(...args) {
    const child = spawn(process.execPath, ['server.mjs', ...args], {
      cwd: this.folder,
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    this.#ends.push(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    for await (const line of createInterface(child.stdout)) {
      const url = /listening on (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) return url;
    }
    throw new Error('The application ended before it listened.');
  }

  /**
   * Imports a TypeScript module of the repository's tests.
   *
   * @param {string} file - below the repository
   * @returns {Promise<any>}
   */
  async load(file) {
    const outfile = path.join(this.folder, `${path.basename(file, '.ts')}.mjs`);
    const entryPoints = [path.join(PRODUCT_ROOT, file)];
    await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20' });
    return import(outfile);
  }

  async remove() {
    await Promise.all(this.#ends.map((end) => end()));
    await rm(this.folder, { recursive: true });
  }
}
