import { setTimeout as delay } from 'node:timers/promises';
import type { ToolData } from '../../../kernel/contracts/tool.js';
import { fwError, Type } from '../../../kernel/index.js';
import { livenessOf } from '../../../kernel/fs/index.js';
import { type RunningProcess, startProcess } from '../../../kernel/process/index.js';
import { isVouched, type RunningApp, runningApps } from '../../../kernel/running/index.js';
import { Integer, optional, optionalText, Texts } from '../../../kernel/schema/index.js';
import { liveBase } from '../runtime/index.js';
import { WORKBENCH_ERRORS } from './errors.js';
import { fwOf, type WorkContext } from './project-fw.js';

/** How an application stands. */
export const AppState = Type.Object({
  state: Type.Enum(['running', 'failed', 'starting', 'building', 'ended']),
  pid: optional(Integer),
  urls: Texts,
  problem: optionalText('what is wrong; fw dev starts it again when a file is mended'),
  output: optional(Type.Array(Type.String({ description: 'last lines that it printed' }))),
});
export type AppState = ToolData<Type.Static<typeof AppState>>;

const START_MS = 90_000;
const STOP_MS = 10_000;
const LOOK_MS = 150;
const LAST_LINES = 12;
const MAX_PROBLEM = 2_000;

/** Processes that this one has started, by their project; they end with it. */
const started = new Map<string, RunningProcess>();

/** Starts `fw dev` for a project, unless something serves it already, and waits for the first outcome. */
export async function startApp(root: string, context: WorkContext): Promise<AppState> {
  const program = fwOf(root);
  const [running] = await runningApps(root);
  if (running) return stateOf(running);
  const child = await startProcess({
    command: process.execPath,
    args: [program, 'dev', '--profile', 'dev'],
    cwd: root,
    env: { NO_COLOR: '1', FW_STARTED_BY: String(process.pid) },
  });
  started.set(root, child);
  void child.exited.then(() => started.get(root) === child && started.delete(root));
  return firstOutcome(root, child, context);
}

async function firstOutcome(root: string, child: RunningProcess, context: WorkContext): Promise<AppState> {
  let hasEnded = false;
  void child.exited.then(() => (hasEnded = true));
  const output = () => child.recentLines().slice(-LAST_LINES);
  for (const until = performance.now() + START_MS; performance.now() < until; await delay(LOOK_MS)) {
    if (context.signal.aborted) {
      await child.stop();
      context.signal.throwIfAborted();
    }
    if (hasEnded) return { state: 'ended', urls: [], output: output() };
    const entry = (await runningApps(root)).find((each) => each.process.pid === child.pid);
    if (entry?.state === 'running') return stateOf(entry);
    if (entry?.state === 'failed') {
      const state = stateOf(entry);
      return { ...state, output: unsaid(output(), state.problem) };
    }
  }
  return { state: 'starting', pid: child.pid, urls: [], output: output() };
}

/** What was printed beside the problem: `fw dev` prints that as well, and an answer says it once. */
export function unsaid(lines: readonly string[], problem = ''): readonly string[] | undefined {
  const said = new Set(problem.split('\n').map((line) => line.trim()));
  const rest = lines.filter((line) => line.trim() !== '' && !said.has(line.trim()));
  return rest.length > 0 ? rest : undefined;
}

/**
 * Ends what serves a project.
 *
 * @returns the processes that have ended
 * @throws FwError `FW_TOOLS_WORKBENCH_STRANGER` for one that only a file below .fw/running speaks for
 */
export async function stopApp(root: string): Promise<readonly number[]> {
  const entries = await runningApps(root);
  // All or nothing: who is asked to stop a project shall not leave a half of it.
  for (const entry of entries) {
    const { pid } = entry.process;
    if (!(await isVouched(entry))) throw fwError(WORKBENCH_ERRORS.FW_TOOLS_WORKBENCH_STRANGER, { pid, path: root });
  }
  await Promise.all(entries.map(ended));
  const own = started.get(root);
  await own?.stop({ graceMs: STOP_MS });
  const pids = entries.map((entry) => entry.process.pid);
  return own && !pids.includes(own.pid) ? [...pids, own.pid] : pids;
}

async function ended(entry: RunningApp): Promise<void> {
  const isThere = () => livenessOf(entry.process) === 'alive';
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    // Looked at right before: the number may be another's by now.
    if (isThere()) process.kill(entry.process.pid, signal);
    for (const until = performance.now() + STOP_MS; performance.now() < until; await delay(LOOK_MS))
      if (!isThere()) return;
  }
}

// What stands in the entry is a stranger's text: an address of another host is none to hand on.
function stateOf({ state, process: { pid }, addresses, problem }: RunningApp): AppState {
  const urls = addresses.flatMap(({ label, url }) => {
    try {
      return `${label}: ${liveBase('.fw/running', url)}`;
    } catch {
      return [];
    }
  });
  return { state, pid, urls, problem: problem?.slice(0, MAX_PROBLEM) };
}
