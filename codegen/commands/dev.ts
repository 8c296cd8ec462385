import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CommandAction } from '../../kernel/contracts/command.js';
import { fwError } from '../../kernel/errors/index.js';
import { CONFIG_FILE, projectRoot } from '../../kernel/fs/index.js';
import { untilAskedToStop } from '../../kernel/process/index.js';
import { runningApps } from '../../kernel/running/index.js';
import { builtFile } from '../dev/built-file.js';
import { DevServer } from '../dev/dev-server.js';
import { DEV_ERRORS } from '../dev/errors.js';

interface DevCommandOptions {
  readonly profile: string;
  readonly types: boolean;
  readonly watch?: readonly string[];
}

/** `fw dev`: builds and starts the application, and again whenever a file changes, until a signal asks it to stop. */
const dev: CommandAction<DevCommandOptions> = async ({ options, cwd, out, err }) => {
  const root = projectRoot(cwd);
  if (!existsSync(path.join(root, CONFIG_FILE))) throw fwError(DEV_ERRORS.FW_DEV_NO_PROJECT, { folder: cwd });
  const other = (await runningApps(root)).find(({ command }) => command === 'dev');
  if (other) {
    const urls = other.addresses.map(({ url }) => url).join(', ') || 'not listening yet';
    throw fwError(DEV_ERRORS.FW_DEV_RUNNING, { pid: other.process.pid, urls });
  }
  const watch = (options.watch ?? []).map((each) => path.resolve(cwd, each));
  const { aborted } = untilAskedToStop();
  const fw = builtFile('kernel/bin/fw.js');
  const server = new DevServer({ root, fw, ...options, watch, output: { out, err }, signal: aborted });
  await server.run();
};

export default dev;
