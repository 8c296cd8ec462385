import { chromium } from 'playwright-core';
import { buildProduct, controlOf, isWanted, runRounds, tableOfRounds } from '../harness/index.mjs';
import { ManyServices, SERVICES, TRACES } from './fleet.mjs';
import { checkPage, firstVisit } from './paints.mjs';
import { checkPlayback, openTrace, playOnce, rest } from './playback.mjs';
import { Project } from './shown-app.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').Subject} Subject */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

const PAINT_ROUNDS = 12;
const PLAY_ROUNDS = 6;
const FIRST_PAINT = { atMost: 1_000 };
const SLOW = 'slow phone';
const [LOGIN, OVERVIEW, FLEET] = ['login', 'overview', 'Fleet page'];
const PAGES = [LOGIN, OVERVIEW, FLEET];
const RESTING = 'nothing played';
const PLAYING = 'playback';
const LIVE = 'playback, 20 new traces a second';
const NEW_TRACES = 5;
const NEW_TRACES_EVERY_MS = 250;
/** A page that keeps up gets every frame; one in fifty is what the clocks of two measurements may differ by. */
const EVERY_FRAME = { atLeast: 0.98 };
/** Time between two frames of a screen that refreshes sixty times a second. */
const FRAME_MS = 16.7;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'dashboard',
  title: 'The dashboard in a browser',
  measured: `The built dashboard in real Chromium without a window (1440 × 900), served by an application of its own with the strict security headers
on. Its aggregator keeps ${TRACES.toLocaleString('en')} traces of ${SERVICES} services.

**First paint** is the browser's own \`first-contentful-paint\` (W3C Paint Timing), counted from the beginning of the navigation, of somebody
who was never there: a new profile for every visit, so nothing is in the browser's cache. **Content** is when the page has what it was opened
for: the form of the login, the charts of the overview, the list of traces. A **${SLOW}** is what Lighthouse takes for one: a processor
four times slower, 150 ms of round trip and 1.6 Mbit/s, by the browser's own emulation.

**Playback** is one open trace of fifteen spans, with the whole list of traces read, played once from its beginning to its end while
\`requestAnimationFrame\` counts; and once more while traces keep coming in. The screen refreshes sixty times a second and no page gets
more, so the baseline is the same page while nothing is played. **Work** is what the page's main thread did for a frame, script, style,
layout and painting together, as the browser accounts for it; ${FRAME_MS} ms are there for it.`,
  peers: [{ name: 'fw', packages: [], configuration: 'the built framework: fw/dashboard, fw/fleet/aggregator' }],
  parts: [...PAGES.flatMap((page) => [page, `${page}, ${SLOW}`]), PLAYING, LIVE],
  budgetSeconds: 120,
  limits: `No peer takes part: the goals are absolute, and dashboards that run inside the application they show, with traces of a fleet in them, are
not something that peers ship. Without a window there is no graphics card either: what a card would draw, the processor draws here, beside
everything else the machine does.`,
  notes: {
    [`frames/${LIVE}`]: `Without new traces every frame comes, and an average frame takes half of the time there is for it. One in forty is late while traces
come in: those in which a list of 2,000 gets its new rows.`,
  },
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  const project = await Project.make();
  try {
    const { findBrowser } = await project.load('kernel/testing/find-browser.ts');
    const executablePath = await findBrowser();
    if (executablePath === undefined)
      throw new Error('There is no Chromium: install one, or name it in FW_TEST_CHROMIUM.');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      return await measureIn(browser, project, settings);
    } finally {
      await browser.close();
    }
  } finally {
    await project.remove();
  }
}

/** @type {(browser: Browser, project: Project, settings: RunSettings) => Promise<TableInput[]>} */
async function measureIn(browser, project, settings) {
  const [open, closed] = [await project.start(), await project.start('a password of the benchmark')];
  const simulation = await project.load('plugins/dashboard/fleet/testing/simulated-fleet.ts');
  const services = new ManyServices(simulation, open);
  await services.fill();
  const pages = [
    { name: LOGIN, url: `${closed}/dashboard/login`, content: '#login button' },
    { name: OVERVIEW, url: `${open}/dashboard`, content: '.chart-place canvas' },
    { name: FLEET, url: `${open}/dashboard/fleet`, content: 'a[data-trace]' },
  ];
  return [
    ...(await paintTables(browser, pages, settings)),
    ...(await playbackTables(browser, `${open}/dashboard/fleet`, services, settings)),
  ];
}

/** @type {(browser: Browser, pages: readonly (import('./paints.mjs').Opened & { readonly name: string })[], settings: RunSettings) => Promise<TableInput[]>} */
async function paintTables(browser, pages, { rounds = PAINT_ROUNDS, budgetSeconds, only, log }) {
  /** @type {Subject[]} */
  const subjects = pages
    .flatMap((page) =>
      [false, true].map((slow) => ({
        name: slow ? `${page.name}, ${SLOW}` : page.name,
        check: () => checkPage(browser, page),
        sample: () => firstVisit(browser, page, { slow }),
      })),
    )
    .filter(({ name }) => isWanted(only, name));
  if (subjects.length === 0) return [];
  const measured = await runRounds({ subjects, rounds, budgetSeconds: budgetSeconds / 2, log });
  /** @type {(name: string, metric: string) => number[]} */
  const valuesOf = (name, metric) => measured.map((round) => Number(round[name]?.[metric]));
  const paint = subjects.map(({ name }) => ({ subject: name, values: valuesOf(name, 'paintMs'), goal: FIRST_PAINT }));
  const content = subjects.map(({ name }) => ({ subject: name, values: valuesOf(name, 'contentMs') }));
  return [
    { id: 'paint', title: 'First paint', unit: 'ms', rows: paint },
    { id: 'content', title: 'Content', unit: 'ms', rows: content },
  ];
}

/** @type {(browser: Browser, url: string, services: ManyServices, settings: RunSettings) => Promise<TableInput[]>} */
async function playbackTables(browser, url, services, { rounds = PLAY_ROUNDS, budgetSeconds, only, log }) {
  if (![PLAYING, LIVE].some((name) => isWanted(only, name))) return [];
  const page = await openTrace(browser, url, TRACES);
  const check = () => checkPlayback(page);
  const resting = { name: RESTING, check, sample: () => rest(page) };
  const playing = { name: PLAYING, check, sample: () => playOnce(page) };
  const live = { name: LIVE, check, sample: () => whileTracesComeIn(services, () => playOnce(page)) };
  const subjects = [resting, controlOf(resting), playing, live];
  const measured = await runRounds({ subjects, rounds, budgetSeconds: budgetSeconds / 2, log });
  /** @type {(name: string) => import('../harness/types.js').RowInput} */
  const work = (name) => ({
    subject: name,
    values: measured.map((round) => Number(round[name]?.['workMs'])),
    goal: { atMost: FRAME_MS },
  });
  return [
    tableOfRounds(measured, {
      id: 'frames',
      title: 'Frames of a playback',
      metric: 'perSecond',
      unit: 'frames per second',
      baseline: RESTING,
      formula: 'subject ÷ baseline',
      subjects: [PLAYING, LIVE],
      goals: { [PLAYING]: EVERY_FRAME, [LIVE]: EVERY_FRAME },
    }),
    { id: 'work', title: 'Work for a frame of a playback', unit: 'ms', rows: [PLAYING, LIVE].map(work) },
  ];
}

/**
 * @param {ManyServices} services
 * @param {() => Promise<import('./playback.mjs').Frames>} play
 */
async function whileTracesComeIn(services, play) {
  /** @type {Promise<void>[]} */
  const sent = [];
  const timer = setInterval(() => sent.push(services.send(NEW_TRACES)), NEW_TRACES_EVERY_MS);
  try {
    return await play();
  } finally {
    clearInterval(timer);
    await Promise.all(sent);
  }
}
