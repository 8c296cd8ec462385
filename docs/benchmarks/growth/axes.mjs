import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { idleConnections } from './idle-connections.mjs';
import { MeasuredSubject } from './measured-subject.mjs';
import { modelProject, READ } from './model-projects.mjs';

/**
 * What there is more and more of.
 *
 * @typedef {object} Axis
 * @property {string} name - a part of the bench, and a module of `subjects/`
 * @property {string} unit - one of them
 * @property {readonly number[]} sizes
 * @property {Readonly<Record<string, (size: number) => readonly Buffer[]>>} [requests] - by what they are, those that a size is
 *   asked for in turn
 * @property {Readonly<Record<string, number>>} [calls] - of subjects that are called: how often in a slice
 * @property {readonly string[]} [answersGrow] - requests whose answer has all units in it
 * @property {boolean} [isFilled] - whether its units come after the start, so that a start says nothing
 * @property {(size: number, folder: string | undefined) => Promise<Filled>} start
 * @property {() => Promise<Prepared>} [prepare] - a folder for each size
 */

/** @typedef {{ readonly subject: MeasuredSubject, readonly close?: () => void }} Filled */
/** @typedef {{ readonly folders: ReadonlyMap<number, string>, readonly remove: () => Promise<void> }} Prepared */

/** Places in a table that requests ask for, spread over it; as many at each size, so that caches are in no size's favour. */
const PLACES = 4;

/** @type {(target: string) => Buffer} */
const get = (target) => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);

/** @type {(size: number) => number[]} */
const spread = (size) => Array.from({ length: PLACES }, (_, at) => Math.floor((at * (size / 2 - 1)) / (PLACES - 1)));

/** @type {(name: string) => Axis['start']} */
const started = (name) => async (size, folder) => ({ subject: await MeasuredSubject.start(name, size, folder) });

const ONE = { 'a request': () => [get('/numbers/7')] };

/** @type {readonly Axis[]} */
export const AXES = [
  {
    name: 'routes',
    unit: 'route',
    sizes: [10, 100, 1_000, 10_000],
    requests: {
      'a request': (size) => spread(size).flatMap((place) => [get(`/things${place}`), get(`/things${place}/7`)]),
      'the OpenAPI document': () => [get('/openapi.json')],
    },
    answersGrow: ['the OpenAPI document'],
    start: started('routes'),
  },
  {
    name: 'models',
    unit: 'model',
    sizes: [10, 100, 1_000],
    requests: { 'a request that reads a row': () => Array.from({ length: READ }, (_, at) => get(`/things${at}`)) },
    start: started('models'),
    prepare: () => prepared([10, 100, 1_000]),
  },
  { name: 'plugins', unit: 'plugin', sizes: [10, 50, 100, 200], requests: ONE, start: started('plugins') },
  {
    name: 'traces',
    unit: 'trace',
    sizes: [2_000, 20_000, 200_000],
    calls: {
      'a batch of 200 spans': 10,
      'a batch, and the newest 100 traces': 5,
      'a batch, and the newest 100 with an error': 5,
      'a trace by its tag': 100,
      'a trace, its tree and its root cause': 100,
      'the graph': 100,
      'a batch, and the incidents with their causes': 5,
    },
    isFilled: true,
    start: started('traces'),
  },
  {
    name: 'connections',
    unit: 'idle connection',
    sizes: [10, 100, 1_000, 10_000],
    requests: ONE,
    isFilled: true,
    start: async (size) => {
      const subject = await MeasuredSubject.start('connections', size);
      return { subject, close: await idleConnections(subject.port, size, get('/numbers/7')) };
    },
  },
];

/** @type {(sizes: readonly number[]) => Promise<Prepared>} */
async function prepared(sizes) {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-bench-growth-'));
  const folders = new Map(sizes.map((size) => [size, path.join(folder, String(size))]));
  for (const [size, project] of folders) {
    await mkdir(project);
    await modelProject(project, size);
  }
  return { folders, remove: () => rm(folder, { recursive: true }) };
}
