import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityProblems } from '../../testing/accessibility.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../testing/browser.js';
import { until } from '../../testing/until.js';
import { type RunningShop, startShop } from './dashboard-shop.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const IMAGES = path.join(ROOT, 'docs/images/dashboard');
/** `npm run screenshots` writes the pictures of the documentation on the way. */
const UPDATE = process.env['FW_UPDATE_DOCS'] === '1';
const PAGES = [
  'overview', 'requests', 'errors', 'logs', 'performance', 'routes', 'explorer', 'queries', 'events', 'mcp', 'diagnostics', 'boot', 'configuration',
] as const; // prettier-ignore
const THEMES = ['light', 'dark'] as const;

const addressOf = (page: string) => (page === 'overview' ? '/dashboard' : `/dashboard/${page}`);

describeWithBrowser(await findBrowser(), 'the dashboard of the reference app in Chromium', (executablePath) => {
  let shop: RunningShop;
  let browser: Browser;
  let context: BrowserContext | undefined;
  let page: Page;
  /** What the browser objects to: errors, policy violations, requests to other places. */
  let complaints: string[] = [];

  beforeAll(async () => {
    shop = await startShop();
    browser = await launchBrowser(executablePath);
    await shop.traffic(UPDATE ? 20 : 1);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });
  beforeEach(async () => {
    // One context for most tests, so that the browser keeps the files.
    if (!context) await openContext('light');
    else await openPage();
  });
  afterEach(async () => {
    await page?.close();
    expect(complaints).toEqual([]);
  });

  async function openContext(colorScheme: 'light' | 'dark', viewport = { width: 1280, height: 800 }) {
    await context?.close();
    context = await browser.newContext({ colorScheme, viewport, baseURL: shop.url, reducedMotion: 'reduce' });
    await openPage();
  }

  async function openPage() {
    page = await (context as BrowserContext).newPage();
    complaints = [];
    page.on('console', (message) => {
      // A 4xx that a test asks for is reported there too.
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(shop.url)) complaints.push(`asks for ${request.url()}`);
    });
  }

  const rows = () => page.locator('main tbody tr');
  const open = async (name: string) => {
    await page.goto(addressOf(name));
    await page.locator('main h1').waitFor();
    const waiting = page.locator('main .loading, main .skeleton-page');
    await until(async () => (await waiting.count()) === 0, 'page with everything on it');
  };

  test.each(THEMES)('is accessible on every page, %s, and asks no other place for anything', async (theme) => {
    await openContext(theme);
    // Only colours differ between the themes.
    const rules = theme === 'dark' ? ['color-contrast'] : undefined;
    const found: string[] = [];
    if (UPDATE) await mkdir(IMAGES, { recursive: true });
    for (const name of PAGES) {
      await open(name);
      if (UPDATE) {
        await page.waitForTimeout(600);
        await page.screenshot({ path: path.join(IMAGES, `${name}-${theme}.png`) });
      }
      found.push(...(await accessibilityProblems(page, rules)).map((each) => `${name}: ${each}`));
    }
    expect(found).toEqual([]);
  });

  test('fits a screen of 390 pixels on every page', async () => {
    await openContext('light', { width: 390, height: 844 });
    const wide: string[] = [];
    for (const name of PAGES) {
      await open(name);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (Number(width) > 390) wide.push(`${name}: ${width}`);
    }
    expect(wide).toEqual([]);
    await page.getByRole('button', { name: 'Open the list of pages' }).click();
    await page.getByRole('link', { name: 'Routes' }).click();
    expect(await page.locator('main h1').textContent()).toBe('Routes');
    await page.getByRole('link', { name: 'Routes' }).waitFor({ state: 'hidden' });
    await openContext('light');
  });

  test('is there before any script, and works under the strict policy', async () => {
    const response = await page.request.get('/dashboard');
    expect(response.headers()['content-security-policy']).toContain("default-src 'self'");
    const html = await response.text();
    expect(html).toMatch(/<link rel="stylesheet"/);
    expect(html).not.toMatch(/<script(?![^>]*(src=|application\/json))/);
    expect(html).not.toMatch(/ style=|<style/);
    expect(html).toContain('skeleton');
  });

  test('overview: numbers, charts, busiest routes and the newest failure', async () => {
    await shop.get('/api/demo/fails');
    await open('overview');
    const charts = page.locator('.chart-place');
    expect(await charts.count()).toBe(4);
    expect(await charts.first().getAttribute('aria-label')).toMatch(/^Requests per second\. All: now/);
    await page.locator('.chart-place canvas').first().waitFor();
    await page.getByRole('region', { name: 'Busiest routes' }).getByText('/api/demo/slow').waitFor();
    const failures = page.getByRole('region', { name: 'Latest failures' }).locator('tbody tr');
    expect(await failures.first().textContent()).toContain('/api/demo/fails');
    await failures.first().getByRole('link').click();
    await page.getByRole('complementary', { name: 'Request' }).waitFor();
  });

  test('requests: live, filtered, opened with its timeline, closed with Escape', async () => {
    await open('requests');
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    await shop.get('/api/products/3');
    await rows().filter({ hasText: '/api/products/3' }).first().waitFor();
    await page.getByLabel('5xx').check({ force: true });
    await page.waitForURL(/\?status=5xx$/);
    await rows().filter({ hasText: '/api/products' }).first().waitFor({ state: 'detached' });
    expect(await rows().allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('/api/demo/fails')]),
    );
    await rows().filter({ hasText: '/api/demo/fails' }).first().getByRole('link').press('Enter');
    const panel = page.getByRole('complementary', { name: 'Request' });
    await panel.locator('.step-query').first().waitFor();
    expect(await panel.textContent()).toMatch(/SELECT[^]*demo\.failed/);
    expect(await panel.textContent()).not.toContain('hunter2');
    await panel.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/dashboard/requests?status=5xx');
  });

  test('errors: one group for many, with stack and traces; failed answers by route', async () => {
    await shop.get('/api/demo/fails');
    await shop.get('/api/demo/fails');
    await open('errors');
    const group = rows().filter({ hasText: 'RangeError' });
    expect(await group.count()).toBe(1);
    await group.getByRole('link').click();
    const panel = page.getByRole('complementary', { name: 'Exception' });
    expect(await panel.textContent()).toMatch(/stock of the warehouse[^]*at /);
    await panel.getByRole('link').first().click();
    await page.waitForURL(/\?trace_id=[0-9a-f]{32}$/);
    await rows().filter({ hasText: '/api/demo/fails' }).first().waitFor();
    await open('errors');
    await page.getByRole('tab', { name: /Exceptions/ }).press('ArrowRight');
    expect(await page.getByRole('tab', { name: /Failed responses/ }).getAttribute('aria-selected')).toBe('true');
    await rows().filter({ hasText: '/api/demo/fails' }).filter({ hasText: '500' }).waitFor();
  });

  test('logs: new lines as they come, filters, and the way from a line to its trace', async () => {
    await open('logs');
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    await shop.get('/api/demo/logs?word=zebra');
    const line = page.locator('.record-line', { hasText: 'zebra' });
    await line.first().waitFor();
    expect(await page.locator('.record-line').allTextContents()).not.toContainEqual(expect.stringContaining('hunter2'));
    await page.getByLabel('Text in the message').fill('zebra');
    await page.locator('.record-line', { hasNotText: 'zebra' }).first().waitFor({ state: 'detached' });
    await page.getByLabel('Text in the message').fill('');
    await page.getByLabel('Panics').check({ force: true });
    await page.locator('.record-line:not(.record-panic)').first().waitFor({ state: 'detached' });
    expect(await page.locator('.record-panic').count()).toBeGreaterThan(0);
    await page.locator('.record-panic .record-trace').first().click();
    await rows().filter({ hasText: '/api/demo/fails' }).first().waitFor();
  });

  test('performance: what the process costs', async () => {
    await open('performance');
    expect(await page.locator('.chart-place').count()).toBe(4);
    expect(await page.locator('.stat', { hasText: 'Heap' }).first().textContent()).toMatch(/[MG]iB.*% of its limit/);
  });

  test('routes: sorted, filtered, and the way to their requests', async () => {
    await open('routes');
    await page.getByRole('button', { name: 'Route' }).click();
    const patterns = await rows().locator('.row-link').allTextContents();
    expect(patterns).toEqual([...patterns].sort((one, other) => one.localeCompare(other)));
    await page.getByLabel('Path, title or handler').fill('/api/demo/fails');
    expect(await rows().count()).toBe(1);
    await rows().getByRole('link').click();
    await page.waitForURL('**/dashboard/requests?*');
  });

  test('queries: statements without values, slow ones, and the state of the plan cache', async () => {
    await open('queries');
    await rows().filter({ hasText: 'FROM "products"' }).first().waitFor();
    expect(await page.locator('.stat', { hasText: 'Compiled plans' }).textContent()).toMatch(/[1-9].*%found again/);
    expect(await page.content()).not.toContain('ada@example.org');
    await page.getByRole('tab', { name: 'Plan caches' }).click();
    expect(await rows().filter({ hasText: 'Compiled plans' }).textContent()).toMatch(/of 2,000/);
    await page.getByRole('tab', { name: /^Slow/ }).click();
    await rows().filter({ hasText: 'slow' }).first().waitFor();
  });

  test('events: dispatches by name, and as they happen', async () => {
    await open('events');
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    const dispatches = page.getByRole('region', { name: 'Latest dispatches' }).locator('tbody tr');
    const before = await dispatches.count();
    await shop.get('/api/demo/fails');
    await dispatches.nth(before).waitFor();
    expect(await dispatches.first().textContent()).toContain('demo.failed');
    await page.getByRole('region', { name: 'By event' }).getByText('demo.failed').waitFor();
    expect(await page.content()).not.toContain('hunter2');
  });

  test('MCP: which tool, with which arguments by name, and what came of it', async () => {
    await open('mcp');
    const calls = page.getByRole('region', { name: 'Latest calls' }).locator('tbody tr');
    await calls.filter({ hasText: 'fw_get_routes' }).filter({ hasText: 'service_url' }).first().waitFor();
    await calls
      .filter({ hasText: 'fw_get_topology' })
      .filter({ hasText: 'refused' })
      .filter({ hasText: 'fleet' })
      .waitFor();
    expect(await page.content()).not.toContain(`${shop.url}/`);
  });

  test('diagnostics: every probe, and what to do about the one that is not well', async () => {
    await open('diagnostics');
    const probes = page.locator('.probe');
    expect(await probes.count()).toBe(shop.app.diagnostics.registered().length);
    const first = probes.first();
    expect(await first.textContent()).toMatch(/What to do/);
    await page.getByLabel(/^Ok/).check({ force: true });
    expect(await probes.locator('.badge-warn').count()).toBe(0);
  });

  test('boot report: every plugin with its state and time', async () => {
    await open('boot');
    expect(await rows().count()).toBe(shop.app.report().plugins.length);
    expect(await rows().filter({ hasText: 'ready' }).count()).toBeGreaterThan(10);
  });

  test('configuration: options, without a secret', async () => {
    await open('configuration');
    await page.getByLabel('Plugin, option or value').fill('accessSecret');
    await page.getByText('[REDACTED]').first().waitFor();
    expect(await page.content()).not.toContain('an example secret that everybody can read');
  });

  test('API explorer: fills a path in, calls, and shows the same call for a terminal', async () => {
    await open('explorer');
    await page.getByLabel('Filter operations').fill('products/{id}');
    await page.getByRole('link', { name: 'GET /api/products/{id}' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('"id" is required.').waitFor();
    await page.getByLabel(/^id/).fill('1');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.response-line', { hasText: '200' }).waitFor();
    expect(await page.getByRole('region', { name: 'answer', exact: true }).textContent()).toContain('"sku": "TEA-001"');
    expect(await page.getByRole('region', { name: 'snippet' }).textContent()).toBe(`curl '${shop.url}/api/products/1'`);
  });

  test("a plugin's own page: drawn by its module, with the live connection", async () => {
    await open('overview');
    await page.getByRole('link', { name: 'Greetings' }).click();
    await page.getByLabel('Whom to greet').fill('Ada');
    await page.getByRole('button', { name: 'Greet' }).click();
    await page.getByText('Hello, Ada!').waitFor();
    await page.getByLabel('Whom to greet').fill('R2D2');
    await page.getByRole('button', { name: 'Greet' }).click();
    await page.getByText('Nobody is called R2D2').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('themes: chosen by hand, kept over a reload without a flash', async () => {
    await openContext('light');
    await open('overview');
    await page.getByLabel('Dark').check({ force: true });
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    const chosen = await background();
    expect(await (await page.request.get('/dashboard')).text()).toContain('<html lang="en" data-theme="dark">');
    await page.reload();
    expect(await background()).toBe(chosen);
    await openContext('light');
  });

  test('keyboard: the first stop skips the navigation, and a chosen page gets the focus', async () => {
    await open('overview');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to the page');
    await page.getByRole('link', { name: 'Logs', exact: true }).press('Enter');
    await page.locator('#main:focus').waitFor();
  });

  test('the live connection comes back by itself, and what was missed is there', async () => {
    await open('requests');
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    shop.cutViewers();
    await page.locator('.connection', { hasText: 'trying again' }).waitFor();
    await shop.get('/api/products/2?missed');
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    await rows().filter({ hasText: '/api/products/2' }).first().waitFor();
  });

  test('a page that cannot be loaded while the application restarts is there once it is back', async () => {
    await open('overview');
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    await page.route('**/assets/queries-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Queries' }).click();
    await page.getByText('The page could not be loaded').waitFor();
    await page.unroute('**/assets/queries-*.js');
    shop.cutViewers();
    await rows().filter({ hasText: 'FROM "products"' }).first().waitFor();
    // The browser reports what it could not have.
    complaints = complaints.filter((each) => !each.includes('ERR_FAILED'));
  });
});
