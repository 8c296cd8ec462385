import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFakeRuntime } from '../../../plugins/tools/provisioning/testing/fake-runtime.js';
import { type CallTool, play, type Played } from './evaluation/play.js';
import { reportOf } from './evaluation/report.js';
import { randomOf, type Task } from './evaluation/task.js';
import { SHOP_TASKS } from './tasks/debug.js';
import { PROJECT_TASKS } from './tasks/project.js';
import { FLEET_TASKS } from './tasks/trace.js';
import { type FleetWorld, fleetWorld } from './worlds/fleet.js';
import { projectWorld } from './worlds/project.js';
import { type ShopWorld, shopWorld } from './worlds/shop.js';
import { toolsWorld, type ToolsWorld } from './worlds/tools.js';

// `npm run bench:agents` plays more seeds than a test has time for.
const SEEDS = Number(process.env['FW_AGENTS_SEEDS'] ?? '1');

describe.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('recorded sessions, seed %d', (seed) => {
  let folder: string;
  let tools: ToolsWorld;
  let fleet: FleetWorld;
  let shop: ShopWorld;
  const sessions: Played[] = [];
  const random = randomOf(seed);
  const shopTasks = SHOP_TASKS.map((make) => make(random));

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-agents-')));
    const runtime = path.join(folder, 'runtime');
    await mkdir(runtime);
    tools = await toolsWorld(folder, await writeFakeRuntime(runtime));
    fleet = await fleetWorld();
    shop = await shopWorld(
      path.join(folder, 'shop'),
      shopTasks.flatMap(({ parts }) => parts),
    );
  });
  afterAll(async () => {
    if (process.env['FW_AGENTS_SEEDS']) process.stdout.write(`\nseed ${seed}\n${reportOf(sessions)}\n`);
    for (const { app } of [shop, fleet, tools]) await app.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function holds(task: Task, call: CallTool): Promise<void> {
    const played = await play(task, call);
    sessions.push(played);
    expect({ task: task.name, problems: played.problems }).toEqual({ task: task.name, problems: [] });
  }

  test.each(shopTasks.map((each, index) => [SHOP_TASKS[index]?.name ?? '', each] as const))(
    'debug: %s',
    async (_, each) => {
      await holds(await each.task(shop), await tools.over(folder));
    },
  );

  test.each(FLEET_TASKS.map((make) => [make.name, make] as const))('across services: %s', async (_, make) => {
    await holds(await make(fleet, random), await tools.over(folder));
  });

  test.each(PROJECT_TASKS.map((make) => [make.name, make] as const))('in a project: %s', async (_, make) => {
    const { document, task } = make(random);
    const project = await projectWorld(document);
    try {
      await holds(await task(project), await tools.over(project.root));
    } finally {
      await project.remove();
    }
  });
});
