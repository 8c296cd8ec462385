/// <reference lib="dom" />
import assert from 'node:assert/strict';

/** @typedef {import('playwright-core').Browser} Browser */

/**
 * A page that is opened, and what is there once it is more than a frame around nothing.
 *
 * @typedef {object} Opened
 * @property {string} url
 * @property {string} content - selector of something that only data bring
 */

/** What Lighthouse takes for a mid-range phone on a slow 4G connection, as its documentation on throttling states. */
const SLOW = { rttMs: 150, bytesPerSecond: (1.6 * 1024 * 1024) / 8, slowdown: 4 };

/**
 * Opens a page as somebody who was never there: a new profile with nothing kept.
 *
 * @param {Browser} browser
 * @param {Opened} opened
 * @param {{ readonly slow: boolean }} conditions
 * @returns {Promise<{ readonly paintMs: number, readonly contentMs: number }>} since the navigation began
 */
export async function firstVisit(browser, opened, { slow }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    if (slow) await slowDown(await context.newCDPSession(page));
    await page.goto(opened.url, { waitUntil: 'commit' });
    const content = await page.waitForFunction(
      (selector) => document.querySelector(selector) !== null && performance.now(),
      opened.content,
    );
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    const paintMs = Number(await paint.jsonValue());
    // What is in the document before anything is painted is seen with the first paint.
    return { paintMs, contentMs: Math.max(paintMs, Number(await content.jsonValue())) };
  } finally {
    await context.close();
  }
}

/** @param {import('playwright-core').CDPSession} session */
async function slowDown(session) {
  const { rttMs, bytesPerSecond, slowdown } = SLOW;
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: rttMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/**
 * What is painted first has to be the page and not an error.
 *
 * @param {Browser} browser
 * @param {Opened} opened
 */
export async function checkPage(browser, { url, content }) {
  const page = await browser.newPage();
  const answer = await page.goto(url);
  assert.equal(answer?.status(), 200);
  await page.locator(content).first().waitFor();
  await page.close();
}
