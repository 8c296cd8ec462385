// Who started this process, and whether they are still there. Plain JavaScript, because `npm start` of a fresh clone asks too.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Variable in which a start script passes its process id: a process that it starts ends when the script ends. */
export const STARTED_BY = 'FW_STARTED_BY';

const LOOK_MS = 500;
const LONGEST_LINEAGE = 32;
const SHELLS = /^(ba|da|a|z|k)?sh$|^busybox$/;
const RUNNERS = /^(np[mx](-cli)?|pnpm|yarn(-[\w.]+)?|bun)(\.c?js)?$/;

/**
 * The facts of a process that this module needs. @typedef {{ pid: number, parent: number, group: number, words: readonly string[] }}
 * Ancestor
 */

/**
 * Calls back once, when a process through which this one was started has ended: the start script that left its id in `FW_STARTED_BY`, or
 * the package runner (npm, pnpm, yarn, bun, `node --run`) whose script this is, with the shells in between. A signal to one of these
 * processes does not reach this one, and none of them can pass SIGKILL on. A process that somebody put into the background is not watched:
 * neither a job of a shell nor a daemon has its runner in its own process group.
 *
 * @param {() => void} ended
 */
export function whenStarterEnds(ended) {
  const starter = process.env[STARTED_BY];
  // The variable names the starter of this process, so its children must not inherit it.
  delete process.env[STARTED_BY];
  const scripts = runningScripts(process.env);
  if (starter === undefined && scripts.length === 0) return;
  const lineage = lineageOf(process.pid);
  const watched = watchedAncestors(lineage, { starter: starter === undefined ? undefined : Number(starter), scripts });
  if (watched === 'gone') setImmediate(ended);
  else if (watched > 0) watch(lineage.slice(0, watched + 1), ended);
}

/**
 * Commands of the scripts that this process may belong to. `node --run` names its script and leaves it in package.json
 * (https://nodejs.org/api/cli.html#--run); either kind of runner may have been started by the other.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {readonly string[]}
 */
export function runningScripts({ npm_lifecycle_script, NODE_RUN_SCRIPT_NAME, NODE_RUN_PACKAGE_JSON_PATH }) {
  const scripts = npm_lifecycle_script === undefined ? [] : [npm_lifecycle_script];
  if (NODE_RUN_SCRIPT_NAME === undefined || NODE_RUN_PACKAGE_JSON_PATH === undefined) return scripts;
  const script = scriptsOf(NODE_RUN_PACKAGE_JSON_PATH)?.[NODE_RUN_SCRIPT_NAME];
  return typeof script === 'string' ? [...scripts, script] : scripts;
}

function scriptsOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))?.scripts;
  } catch {
    // The variables are inherited, and the package.json that they refer to may no longer exist.
    return undefined;
  }
}

/**
 * How many ancestors of a process are to be watched, or that one of them has ended already.
 *
 * @param {readonly Ancestor[]} lineage - the process itself, its parent, and so on
 * @param {{ starter?: number, scripts?: readonly string[] }} from - what the environment says: id of the start script, commands of runners
 * @returns {number | 'gone'}
 */
export function watchedAncestors(lineage, { starter, scripts = [] }) {
  const above = starter === undefined ? 0 : lineage.findIndex(({ pid }, index) => index > 0 && pid === starter);
  if (above < 0) return 'gone';
  const runner = scripts.length === 0 ? 0 : runnerIn(lineage, scripts);
  return runner === 'gone' ? runner : Math.max(above, runner);
}

// All descendants of a runner inherit its variables, so the variables alone prove nothing: the nearest shell must be the one that runs the
// runner's script, unless that shell was replaced by the command (dash and bash do that for a single command).
function runnerIn(lineage, scripts) {
  for (let index = 1; index < lineage.length; index++) {
    const { group, words } = lineage[index];
    if (isRunner(words)) return group === lineage[0].group ? topmost(lineage, index) : 0;
    if (!SHELLS.test(nameOf(words[0]))) continue;
    if (group !== lineage[0].group || !words.some((word) => runsOneOf(scripts, word))) return 0;
    const runner = lineage[index + 1];
    // Orphans go to process 1, which in a container may itself be the runner.
    return runner?.pid === 1 && !isRunner(runner.words) ? 'gone' : topmost(lineage, index + 1);
  }
  return 0;
}

const runsOneOf = (scripts, command) =>
  scripts.some((script) => command === script || command.startsWith(`${script} `));

// Supervisors start their command through a shell, and runners call each other: a shell that only waits for a runner is watched as well,
// and so is the runner that started that shell.
function topmost(lineage, runner) {
  const [shell, above] = lineage.slice(runner + 1);
  if (shell?.group !== lineage[0].group || !waitsForRunner(shell.words)) return runner;
  const isScript = above?.group === shell.group && isRunner(above.words);
  return isScript ? topmost(lineage, runner + 2) : runner + 1;
}

// One command in the foreground: `sh -c 'npm start'`.
function waitsForRunner(words) {
  const command = words.slice(words.indexOf('-c') + 1).find((word) => word !== '--') ?? '';
  return SHELLS.test(nameOf(words[0])) && words.includes('-c') && !/[&;|<>()$`\n]/.test(command) && isRunner([command]);
}

function isRunner(words) {
  // npm sets its process title to `npm start`; the others appear as `node .../pnpm.cjs start`.
  const [program = '', ...rest] = words.flatMap((word) => word.split(' '));
  if (!/^node/.test(nameOf(program))) return RUNNERS.test(nameOf(program));
  const run = rest.findIndex((word) => /^--run(=|$)/.test(word));
  return RUNNERS.test(nameOf(rest.find(isNoFlag))) || (run >= 0 && !rest.slice(0, run).some(isModule));
}

// Words after the path of a module are arguments of that module.
const isModule = (word) => /\.[cm]?[jt]s$/.test(word);

const isNoFlag = (word) => word !== '' && !word.startsWith('-');
// A login shell is called `-bash`.
const nameOf = (program = '') => path.basename(program).replace(/^-/, '');

function watch(lineage, ended) {
  const timer = setInterval(() => {
    if (lineage.slice(0, -1).every(hasItsParent)) return;
    clearInterval(timer);
    ended();
  }, LOOK_MS);
  timer.unref();
}

// An orphan gets another parent at once, even when nobody reaps its ended parent. Windows keeps the old parent id.
function hasItsParent({ pid, parent }) {
  if (process.platform === 'win32') return isThere(parent);
  if (pid === process.pid) return process.ppid === parent;
  return process.platform === 'linux' ? fromProc(pid)?.parent === parent : isThere(pid) && isThere(parent);
}

function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function lineageOf(pid) {
  const read = process.platform === 'linux' ? fromProc : fromTable();
  const lineage = [];
  for (let next = read(pid); next && lineage.length < LONGEST_LINEAGE; next = read(next.parent)) lineage.push(next);
  return lineage;
}

// proc(5): "pid (name) state ppid pgrp ..."; the name may contain blanks and parentheses.
function fromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { pid, parent: Number(parent), group: Number(group), words };
  } catch {
    // The process has ended, or there is no /proc.
    return undefined;
  }
}

// Without /proc the whole process table is read once; on Windows, where that takes a second, only the parent is known.
function fromTable() {
  const windows = [
    { pid: process.pid, parent: process.ppid, group: 0, words: [] },
    { pid: process.ppid, parent: 0, group: 0, words: [] },
  ];
  const table = process.platform === 'win32' ? windows : posixTable();
  const byId = new Map(table.map((each) => [each.pid, each]));
  return (pid) => byId.get(pid);
}

function posixTable() {
  const { stdout = '' } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,args='], { encoding: 'utf8' });
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, group, args]) => {
    // `ps` gives all arguments as one text; the script of a shell follows its `-c`.
    const script = /^(\S+ )-c (.*)$/.exec(args);
    const words = script ? [script[1].trim(), '-c', script[2]] : args.split(' ');
    return { pid: Number(pid), parent: Number(parent), group: Number(group), words };
  });
}
