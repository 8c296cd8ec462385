import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import path from 'node:path';
import { HttpServer, plugin } from 'fw';
import { bootTestApp } from 'fw/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityProblems } from '../../../kernel/testing/accessibility.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../../kernel/testing/browser.js';
import { until } from '../../../kernel/testing/until.js';
import { type RunningFleet, startFleet } from './running-fleet.js';

const IMAGES = path.resolve(import.meta.dirname, '../../images/dashboard');
/** `npm run screenshots` writes the pictures of the documentation on the way. */
const UPDATE = process.env['FW_UPDATE_DOCS'] === '1';
const ROOT_CAUSE = 'orders-service';

/** What the page has and a Node program has not. */
interface Painted {
  getComputedStyle(element: unknown): { readonly stroke: string };
}

describeWithBrowser(await findBrowser(), 'the Fleet page of the fleet shop in Chromium', (executablePath) => {
  let fleet: RunningFleet;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the browser objects to: errors, policy violations, requests to other places. */
  let complaints: string[];

  beforeAll(async () => {
    [fleet, browser] = await Promise.all([startFleet(), launchBrowser(executablePath)]);
    await order('100');
    await fetch(`${fleet.urls.orders}/chaos/fail`, { method: 'POST' });
    for (let n = 0; n < 12; n++) await order(String(500 + n));
  });
  afterAll(async () => {
    await browser?.close();
    await fleet?.stop();
  });
  beforeEach(() => openContext('dark'));
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  const order = (id: string) => fetch(`${fleet.urls.gateway}/api/orders/${id}`);

  async function openContext(colorScheme: 'light' | 'dark', reducedMotion: 'reduce' | 'no-preference' = 'reduce') {
    await context?.close();
    context = await browser.newContext({
      baseURL: fleet.urls.gateway,
      colorScheme,
      reducedMotion,
      viewport: { width: 1440, height: 900 },
    });
    await context.request.post('/dashboard/login', { data: { username: 'admin', password: 'admin' } });
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => {
      // What the page is told when the aggregator is away, and what it says about it itself.
      if (message.type() === 'error' && !/status of (4\d\d|502)/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(fleet.urls.gateway)) complaints.push(`asks for ${request.url()}`);
    });
  }

  const rows = () => page.locator('a[data-trace]');
  // The policy of the page forbids scripts made of text, so the counting is done here.
  const shows = async (count: number) => {
    while ((await rows().count()) !== count) await page.waitForTimeout(50);
  };
  const hop = (caller: string, callee: string) => page.locator(`[data-caller="${caller}"][data-callee="${callee}"]`);
  const titleOf = (service: string) => page.locator(`[data-service=${service}] > title`).textContent();
  const spans = () => page.getByRole('treegrid', { name: 'Spans' }).getByRole('row');

  async function openFailed(): Promise<void> {
    await page.goto('/dashboard/fleet?tag=order_id:505');
    await rows().first().click();
    await page.locator('.cause').waitFor();
    await spans().nth(2).waitFor();
    // The list beside it stays as it was filtered.
    expect(new URL(page.url()).searchParams.get('tag')).toBe('order_id:505');
    await shows(1);
  }

  test('is there, with its entry in the navigation [FLEET-DASHBOARD-PAGE-01, FLEET-DASHBOARD-PAGE-02]', async () => {
    const response = await page.goto('/dashboard');
    expect(response?.headers()['content-security-policy']).toMatch(/^default-src 'self'/);
    await page.getByRole('link', { name: 'Fleet' }).click();
    await page.getByRole('heading', { name: 'Fleet', level: 1 }).waitFor();
    await page.locator('[data-service="orders-service"]').waitFor();

    const without = await bootTestApp({
      plugins: [plugin(() => import('fw/http'), { port: 0 }), plugin(() => import('fw/dashboard'))],
    });
    const bare = await context.newPage();
    try {
      await bare.goto(`${without.services.get(HttpServer).url}/dashboard`);
      await bare.getByRole('link', { name: 'Requests' }).waitFor();
      expect(await bare.getByRole('link', { name: 'Fleet' }).count()).toBe(0);
      await bare.goto(`${without.services.get(HttpServer).url}/dashboard/fleet`);
      await bare.getByRole('heading', { name: 'No such page' }).waitFor();
    } finally {
      await bare.close();
      await without.stop();
    }
  });

  test('draws two arcs for every call, with the aggregate of the window on them [FLEET-TOPOLOGY-01]', async () => {
    await page.goto('/dashboard/fleet');
    await hop('auth-service', 'orders-service').waitFor({ state: 'attached' });
    const names = ['', 'gateway', 'auth-service', 'orders-service'];
    for (const [at, caller] of names.slice(0, -1).entries()) {
      const call = hop(caller, names[at + 1] as string);
      expect(await call.locator('[data-arc=request]').count()).toBe(1);
      expect(await call.locator('[data-arc=response]').count()).toBe(1);
    }
    expect(await page.locator('[data-arc]').count()).toBe(6);
    expect(await hop('gateway', 'auth-service').locator('text').textContent()).toMatch(/^[\d.]+ · [\d.]+ (?:µs|ms)$/);
    const [gateway, orders] = [page.locator('[data-service=gateway]'), page.locator('[data-service=orders-service]')];
    expect(await titleOf('orders-service')).toMatch(/^orders-service, degraded, .* · [\d.]+ %$/);
    expect((await gateway.boundingBox())?.x).toBeLessThan((await orders.boundingBox())?.x as number);
  });

  test('a failing trace has one root cause; the others are derived, and each says why [FLEET-AGG-OVERVIEW-05]', async () => {
    await openFailed();
    expect(await page.locator('.span-row.mark-cause').count()).toBe(1);
    expect(await spans().allInnerTexts()).toEqual([
      expect.stringMatching(/gateway[^]*GET \/api\/orders\/:id[^]*Derived/),
      expect.stringMatching(/gateway[^]*client · \/internal\/auth\/\*[^]*Derived/),
      expect.stringMatching(/auth-service[^]*Derived/),
      expect.stringMatching(/auth-service[^]*client · \/internal\/orders\/\*[^]*Derived/),
      expect.stringMatching(/orders-service[^]*POST \/internal\/orders\/:id[^]*Root cause/),
    ]);
    expect(await page.locator('.cause').innerText()).toMatch(
      /orders-service failed at POST \/internal\/orders\/:id .* 2 services affected by it: auth-service, gateway\.[^]*every other failure lies above it/,
    );
    expect(await titleOf('orders-service')).toContain('root cause');
    await page.getByRole('button', { name: 'Show span' }).click();
    const detail = page.getByRole('complementary', { name: 'Selected span' });
    expect(await detail.innerText()).toMatch(/orders-service[^]*Why this one:[^]*order_id[^]*505[^]*traceparent/i);
    await page.locator('.cause').getByRole('button', { name: 'Blast radius' }).click();
    expect(await titleOf('gateway')).toContain('2 hops away');
    expect(page.url()).toMatch(/trace=[0-9a-f]{32}.*blast=orders-service/);
  });

  test('with a trace open the arcs show its hops, and light up as it plays [FLEET-TOPOLOGY-03, FLEET-TOPOLOGY-05, FLEET-TOPOLOGY-06]', async () => {
    await openFailed();
    const last = hop('auth-service', 'orders-service');
    const took = (await spans().nth(4).locator('.bar-text').innerText()).split(' · ')[0] as string;
    expect(await last.locator('text').textContent()).toBe(took);
    const states = async (call: typeof last) =>
      Promise.all(['request', 'response'].map((arc) => call.locator(`[data-arc=${arc}]`).getAttribute('data-state')));
    const next = page.getByRole('button', { name: 'Next moment' });
    // Beginnings of gateway, its call, auth, its call and orders, then their ends.
    await next.click();
    expect([await states(hop('', 'gateway')), await states(last)]).toEqual([['running', 'waiting'], ['waiting', 'waiting']]);
    for (let moment = 2; moment <= 5; moment++) await next.click();
    expect(await states(last)).toEqual(['running', 'waiting']);
    await next.click();
    expect([await states(last), await states(hop('', 'gateway'))]).toEqual([['done', 'failed'], ['running', 'waiting']]);
    const colour = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => (globalThis as unknown as Painted).getComputedStyle(element).stroke);
    const red = await colour('[data-callee=orders-service] [data-arc=response]');
    await page.getByLabel('Speed').selectOption('4');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect(await states(hop('', 'gateway'))).toEqual(['done', 'failed']);
    expect(await page.locator('.playback-time').innerText()).toMatch(/^([\d.]+ (?:µs|ms|s)) \/ \1$/);
    // A trace that went well has no red in it.
    await page.goto('/dashboard/fleet?tag=order_id:100');
    await rows().first().click();
    await page.locator('[data-callee=orders-service] [data-state=answered]').waitFor({ state: 'attached' });
    expect(await colour('[data-callee=orders-service] [data-arc=response]')).not.toBe(red);
  }); // prettier-ignore

  test('filters by service, status, duration and tag, in the address', async () => {
    await page.goto('/dashboard/fleet?status=error');
    await rows().first().waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('error');
    expect(await rows().count()).toBe(12);
    await page.getByLabel('Tag, as key:value').fill('order_id:503');
    await shows(1);
    expect(new URL(page.url()).searchParams.get('tag')).toBe('order_id:503');
    await page.getByLabel('Slower than').fill('999999');
    await page.getByText('No trace fits these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Service', exact: true }).selectOption('orders-service');
    await shows(13);
    await page.getByLabel('Tag, as key:value').fill('nonsense');
    await page.getByText('Write key:value').waitFor();
  });

  test('walks the waterfall with the keyboard', async () => {
    await openFailed();
    await page.getByRole('treegrid', { name: 'Spans' }).focus();
    const selected = () => page.locator('.span-row[aria-selected=true] .span-service').innerText();
    expect(await selected()).toBe(ROOT_CAUSE);
    await page.keyboard.press('Home');
    expect(await selected()).toBe('gateway');
    await page.keyboard.press('ArrowDown');
    expect(await selected()).toBe('gateway');
    await page.keyboard.press('ArrowDown');
    expect(await selected()).toBe('auth-service');
    await page.keyboard.press('ArrowLeft');
    expect(await spans().count()).toBe(3);
    expect(await page.locator('.span-row[aria-selected=true]').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    expect(await selected()).toBe(ROOT_CAUSE);
    expect(new URL(page.url()).searchParams.get('span')).toMatch(/^[0-9a-f]{16}$/);
    // The address brings back what was looked at.
    await page.reload();
    await page.locator('.span-row[aria-selected=true]').waitFor();
    expect(await selected()).toBe(ROOT_CAUSE);
  });

  test('follows a log line of a trace to its span, and a log line of the service to its trace', async () => {
    await openFailed();
    await page.getByRole('tab', { name: 'Logs' }).click();
    const line = page.locator('.log-line', { hasText: 'payment provider timeout' });
    await line.waitFor();
    expect(await page.getByRole('list', { name: 'Where the lines come from' }).innerText()).toMatch(
      /1 line\s+orders-service/,
    );
    await line.getByRole('button', { name: ROOT_CAUSE }).click();
    await page.locator('.span-row[aria-selected=true]').waitFor();
    expect(await page.locator('.span-row[aria-selected=true] .span-service').innerText()).toBe(ROOT_CAUSE);

    await page.goto('/dashboard/logs');
    await page.locator('main li', { hasText: 'the order could not be read' }).first().getByRole('link').click();
    await page.locator('.span-row.mark-cause').waitFor();
  });

  test('shows a contract violation by pointer, expectation and observation, with its trace', async () => {
    await page.goto('/dashboard/fleet?view=violations');
    const row = page.getByRole('row', { name: '/debug_note' });
    await row.waitFor();
    expect(await row.innerText()).toMatch(
      /error[^]*auth-service → orders-service[^]*POST \/internal\/orders\/:id[^]*\/debug_note[^]*additionalProperties[^]*expected declared property, observed unknown field/,
    );
    expect(await page.locator('main').innerText()).not.toContain('Friday');
    await row.getByRole('link').click();
    await page.locator('.span-row[aria-selected=true]', { hasText: ROOT_CAUSE }).waitFor();
    await page.getByRole('tab', { name: 'Contract (1)' }).click();
    await page.getByRole('row', { name: '/debug_note' }).waitFor();
    // Equal ones are kept once, with their newest trace: an older one has to say so, and not that nothing was wrong.
    await openFailed();
    await page.getByRole('tab', { name: 'Contract', exact: true }).click();
    const others = page.getByRole('region', { name: 'On the same calls, last seen in other traces' });
    // Errors are said in another media type than the document has for them.
    await others.getByRole('row', { name: 'mediaType' }).waitFor();
    expect(await page.getByText('No contract violation in this trace').count()).toBe(0);
  });

  test('names the incident and whom it drags along', async () => {
    // An incident is open while requests fail, and those of the beginning may be long ago.
    for (let n = 0; n < 12; n++) await order(String(700 + n));
    await page.goto('/dashboard/fleet?view=incidents');
    const incident = page
      .locator('.incident', { hasText: /open\s*orders-service/ })
      .filter({ hasText: 'auth-service 1 hop' })
      .filter({ hasText: 'gateway 2 hops' });
    await incident.waitFor();
    await incident.getByRole('button', { name: 'Blast radius' }).click();
    await page.locator('[data-service=gateway]', { hasText: '2 HOPS AWAY' }).waitFor();
  });

  test('new traces come in by themselves', async () => {
    await page.goto('/dashboard/fleet?tag=order_id:900');
    await page.getByText('No trace fits these filters').waitFor();
    await page.locator('.link-there').waitFor();
    await order('900');
    await rows().first().waitFor();
  });

  // Themes differ in their colours only.
  test.each(['light', 'dark'] as const)('is accessible in every view, %s', async (theme) => {
    await openContext(theme);
    const found: string[] = [];
    const look = async (what: string) => {
      // What the fleet shop alone has: lines of several services, and broken promises.
      if (UPDATE && ['logs', 'violations'].includes(what))
        await page.screenshot({ path: path.join(IMAGES, `fleet-${what}-${theme}.png`) });
      const rules = theme === 'light' ? undefined : ['color-contrast'];
      found.push(...(await accessibilityProblems(page, rules)).map((each) => `${what}: ${each}`));
    };
    await openFailed();
    await page.getByRole('button', { name: 'Show span' }).click();
    await look('trace');
    await page.getByRole('tab', { name: 'Logs' }).click();
    await page.locator('.log-line').first().waitFor();
    await look('logs');
    for (const view of ['traces', 'incidents', 'violations', 'services', 'bounds']) {
      await page.goto(`/dashboard/fleet?view=${view}`);
      await page.locator('.link-there').waitFor();
      await until(async () => (await page.locator('main .loading').count()) === 0, 'page with everything on it');
      await look(view);
    }
    expect(found).toEqual([]);
  });

  // The last one: what the aggregator knew is gone with it.
  test('an aggregator that is away takes nothing else with it, and is found again', async () => {
    await openFailed();
    await fleet.stopAggregator();
    const alert = page.getByRole('alert').filter({ hasText: 'The Fleet aggregator is away' });
    await alert.waitFor();
    expect(await spans().count()).toBe(5);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.locator('.stat-value').first().waitFor();
    await page.getByRole('link', { name: 'Fleet' }).click();
    await alert.waitFor();
    await fleet.startAggregator();
    await alert.waitFor({ state: 'detached' });
    await order('901');
    await rows().first().waitFor();
  });
});
