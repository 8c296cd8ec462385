/// <reference lib="dom" />
import assert from 'node:assert/strict';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').CDPSession} CDPSession */

/**
 * What a browser drew in some seconds.
 *
 * @typedef {object} Frames
 * @property {number} perSecond
 * @property {number} workMs - time that the page's main thread worked for a frame
 */

/**
 * The Fleet page with a whole list of traces read and the last of them open.
 *
 * @param {Browser} browser
 * @param {string} url - of the page
 * @param {number} traces
 */
export async function openTrace(browser, url, traces) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  const rows = page.locator('a[data-trace]');
  await rows.first().waitFor();
  await page.waitForFunction((count) => {
    const list = document.querySelector('.trace-rows');
    list?.scrollTo(0, list.scrollHeight);
    return document.querySelector('.panel-hint')?.textContent === count;
  }, traces.toLocaleString('en'));
  await rows.last().click();
  await page.locator('.span-row').nth(14).waitFor();
  await page.locator('.call-hop').nth(5).waitFor();
  return page;
}

/**
 * What plays has to show it: dots travel along the arcs, and the trace stands as it ended afterwards.
 *
 * @param {Page} page
 */
export async function checkPlayback(page) {
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('.pulse:not(.pulse-off)').first().waitFor();
  await page.getByRole('button', { name: 'Whole trace' }).click();
  await page.locator('.pulse:not(.pulse-off)').first().waitFor({ state: 'detached' });
}

/**
 * Plays the open trace once, from its beginning to its end.
 *
 * @param {Page} page
 * @returns {Promise<Frames>}
 */
export async function playOnce(page) {
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  return framesOf(page, { while: '.playback-play[aria-label=Pause]' });
}

/**
 * The same page while nothing on it moves: what this browser gives anybody on this machine.
 *
 * @param {Page} page
 * @returns {Promise<Frames>}
 */
export function rest(page) {
  return framesOf(page, { ms: 5_000 });
}

/**
 * @param {Page} page
 * @param {{ readonly while?: string, readonly ms?: number }} span - as long as there is an element, or for some time
 * @returns {Promise<Frames>}
 */
async function framesOf(page, span) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const before = await workSeconds(session);
  const { frames, ms } = await page.evaluate(async (asked) => {
    /** @returns {Promise<number>} */
    const frame = () => new Promise(requestAnimationFrame);
    const from = await frame();
    let now = from;
    let passed = 0;
    while (asked.while === undefined ? now - from < Number(asked.ms) : document.querySelector(asked.while)) {
      now = await frame();
      passed++;
    }
    return { frames: passed, ms: now - from };
  }, span);
  const workMs = ((await workSeconds(session)) - before) * 1000;
  await session.detach();
  assert.ok(ms > 2_000, `only ${ms} ms were played`);
  return { perSecond: (frames / ms) * 1000, workMs: workMs / frames };
}

/** @param {CDPSession} session */
async function workSeconds(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return Number(metrics.find(({ name }) => name === 'TaskDuration')?.value);
}
