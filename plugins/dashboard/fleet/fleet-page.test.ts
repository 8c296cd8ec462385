import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../../kernel/testing/browser.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/index.js';
import type { SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import aggregator from '../../fleet/aggregator/index.js';
import http from '../../http/index.js';
import securityHeaders from '../../middleware/security-headers/index.js';
import dashboard from '../index.js';
import { BANK_TIMEOUT, chance, heartbeats, largeFleet, servicesOf, SHOP, SimulatedFleet, type SimulatedRoute } from './testing/simulated-fleet.js'; // prettier-ignore

const IMAGES = path.resolve(import.meta.dirname, '../../../docs/images/dashboard');
/** `npm run screenshots` writes the pictures of the documentation on the way. */
const UPDATE = process.env['FW_UPDATE_DOCS'] === '1';

/** Sixty services of ten teams: in each an edge, which calls the API of its team, a worker, and the API of the next team. */
const GROUPED = Array.from({ length: 10 }, (_, team) => {
  const serving = (name: string, ...calls: SimulatedRoute[]): SimulatedRoute => ({
    service: name, method: 'GET', route: '/', work: 2, calls,
  }); // prettier-ignore
  const of = (part: string) => `team${team}-${part}`;
  const next = serving(`team${(team + 1) % 10}-api`);
  const api = serving(of('api'), serving(of('worker'), next), serving(of('store')), serving(of('sync')));
  return [1, serving(of('edge'), api, serving(of('notifications-renderer')))] as const;
});

/** A fleet that is simulated, with an aggregator and a dashboard that show it. */
interface ShownFleet {
  readonly url: string;
  readonly app: BootedTestApp;
  send(spans: readonly SpanRecord[]): Promise<void>;
  beat(failing?: Readonly<Record<string, number>>): Promise<void>;
}

/** How often somebody asks for a frame while some frames pass. Runs in the page. */
function framesAskedFor(frames: number): Promise<number> {
  const scope = globalThis as unknown as { requestAnimationFrame(run: (time: number) => void): number };
  const ask = scope.requestAnimationFrame.bind(scope);
  let asked = 0;
  scope.requestAnimationFrame = (run) => {
    asked++;
    return ask(run);
  };
  return new Promise((resolve) => {
    let passed = 0;
    const next = () => {
      if (++passed < frames) return void ask(next);
      scope.requestAnimationFrame = ask;
      resolve(asked);
    };
    ask(next);
  });
}

interface Seen {
  readonly textContent: string;
  getBoundingClientRect(): {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  querySelector(selector: string): Seen | null;
}
interface SeenPage {
  querySelectorAll(selector: string): Iterable<Seen>;
  querySelector(selector: string): Seen;
}

/** Cards that the buttons of the picture stand on. Runs in the page. */
function coveredCards(): string[] {
  const { document } = globalThis as unknown as { document: SeenPage };
  const tools = document.querySelector('.mesh-tools').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('[data-service] .svc-box')].map((each) => each.getBoundingClientRect());
  const isCovered = (box: typeof tools) => box.right > tools.left && box.top < tools.bottom;
  return boxes.filter(isCovered).map((box) => JSON.stringify(box));
}

/** Names and numbers that are wider than their cards. Runs in the page. */
function textsBeyondTheirCards(): string[] {
  const { document } = globalThis as unknown as { document: SeenPage };
  return [...document.querySelectorAll('[data-service]')].flatMap((card) => {
    const box = card.querySelector('.svc-box');
    return ['.svc-name', '.svc-numbers'].flatMap((name) => {
      const text = card.querySelector(name);
      if (!text || !box) return [`no ${name}`];
      return text.getBoundingClientRect().right > box.getBoundingClientRect().right ? [text.textContent] : [];
    });
  });
}

/** Pixels that the name of a service has in each row of a trace. Runs in the page. */
function roomsOfServices(): number[] {
  const { document } = globalThis as unknown as { document: SeenPage };
  return [...document.querySelectorAll('.span-row')].map((row) => {
    const [label, name] = ['.waterfall-label', '.span-service'].map((each) => row.querySelector(each));
    return label && name ? label.getBoundingClientRect().right - name.getBoundingClientRect().left : 0;
  });
}

async function show(services: readonly string[]): Promise<ShownFleet> {
  const app = await bootTestApp({
    name: 'shop',
    plugins: [
      plugin(async () => http, { port: 0 }),
      aggregator,
      plugin(async () => dashboard, { fleetAggregatorURL: '/fleet' }),
      securityHeaders,
    ],
  });
  const { url } = app.services.get(HttpServer);
  const post = async (endpoint: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/fleet/api/${endpoint}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(202);
  };
  return {
    url,
    app,
    send: (spans) => post('spans', spans),
    async beat(failing) {
      for (const heartbeat of heartbeats(services, failing)) await post('heartbeat', heartbeat);
    },
  };
}

describeWithBrowser(await findBrowser(), 'the Fleet page in Chromium', (executablePath) => {
  const shop = new SimulatedFleet(SHOP, chance(7));
  let small: ShownFleet;
  let large: ShownFleet;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
    small = await show(servicesOf(SHOP));
    await small.beat({ 'bank-adapter': 0.24, payments: 0.2, checkout: 0.2 });
    const now = Date.now();
    for (let n = 240; n > 0; n--) await small.send(shop.request(now - n * 180, n < 60 ? BANK_TIMEOUT : undefined));
    const routes = largeFleet(200);
    const many = new SimulatedFleet(routes, chance(11));
    large = await show(Array.from({ length: 200 }, (_, at) => `service-${String(at).padStart(3, '0')}`));
    await large.beat();
    for (let n = 100; n > 0; n--) {
      const requests = Array.from({ length: 20 }, (_, at) => many.request(now - n * 1_000 + at * 50));
      await large.send(requests.flat());
    }
  });
  afterAll(async () => {
    await browser?.close();
    await small?.app.stop();
    await large?.app.stop();
  });
  beforeEach(() => openContext(small));
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  async function openContext({ url }: ShownFleet, options: Parameters<Browser['newContext']>[0] = {}) {
    await context?.close();
    context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, ...options });
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => complaints.push(String(error)));
  }

  const rows = () => page.locator('a[data-trace]');
  const read = async <Answer>(endpoint: string) =>
    (await (await page.request.get(`/dashboard/api/fleet/${endpoint}`)).json()) as Answer;

  async function openFailed(extra = ''): Promise<void> {
    await page.goto(`/dashboard/fleet?status=error${extra}`);
    await rows().first().click();
    await page.locator('.span-row.mark-cause').waitFor();
  }

  test('a hop that was called more than once has a count [FLEET-TOPOLOGY-04]', async () => {
    const [, search] = SHOP[1] as (typeof SHOP)[number];
    const twice = { ...search, route: '/twice', calls: [...(search.calls ?? []), ...(search.calls ?? [])] };
    const spans = shop.trace(twice, Date.now());
    await small.send(spans);
    await page.goto(`/dashboard/fleet?trace=${spans[0]?.trace_id}`);
    const label = page.locator('[data-caller=web][data-callee=search] text');
    await label.waitFor();
    const total = spans.filter(({ service }) => service === 'search').reduce((sum, { duration_ms: ms }) => sum + ms, 0);
    expect(await label.textContent()).toBe(`${Number(total.toFixed(1))} ms ×2`);
  });

  test('marks orphans and spans whose clock runs ahead of their caller', async () => {
    const [root, ...others] = shop.trace((SHOP[0] as (typeof SHOP)[number])[1], Date.now()) as [
      SpanRecord,
      ...SpanRecord[],
    ];
    const skewed = others.map((span) =>
      span.service === 'auth' ? { ...span, start_ns: String(BigInt(root.start_ns) - 40_000_000n) } : span,
    );
    const inventory = others.find(({ service }) => service === 'inventory');
    const orphan = { ...root, span_id: 'c'.repeat(16), parent_span_id: 'd'.repeat(16), service: 'lost' };
    await small.send([root, ...skewed, orphan]);
    await page.goto(`/dashboard/fleet?trace=${root.trace_id}&span=${inventory?.span_id}`);
    await page.locator('.span-row', { hasText: 'auth' }).getByText('Clock skew').waitFor();
    await page.locator('.span-row', { hasText: 'lost' }).getByText('Orphan').waitFor();
    expect(await page.locator('.trace-facts').innerText()).toMatch(/1 orphan · clock skew/);
    expect(await page.locator('.span-row[aria-selected=true]').innerText()).toContain('inventory');
    await page.locator('.span-row', { hasText: 'SELECT sku, units' }).waitFor();
  });

  test('plays with dots on the arcs, in one frame at a time, to the end', async () => {
    await openFailed();
    const play = page.getByRole('button', { name: 'Play' });
    const pause = page.getByRole('button', { name: 'Pause' });
    await play.click();
    await page.locator('.pulse:not(.pulse-off)').first().waitFor();
    expect(await page.locator('.pulse:not(.pulse-off)').first().getAttribute('style')).toMatch(/^transform: translate3d\([-\d.]+px, [-\d.]+px, 0px\);$/);
    for (let n = 0; n < 4; n++) {
      await pause.click();
      await play.click();
    }
    // Playing and pausing leaves no loop behind: one frame is asked for in each frame, and now and then one by a component.
    expect(await page.evaluate(framesAskedFor, 20)).toBeLessThan(35);
    await page.getByLabel('Speed').selectOption('4');
    await play.waitFor();
    expect(await page.locator('[data-caller=""][data-callee="web"] [data-arc=response], [data-caller=""][data-callee="mobile"] [data-arc=response]').evaluateAll((arcs) => arcs.map((arc) => (arc as unknown as { dataset: { state?: string } }).dataset.state))).toContain('failed');
    await page.getByRole('button', { name: 'Whole trace' }).click();
    expect(await page.locator('.pulse:not(.pulse-off)').count()).toBe(0);
    const scrub = page.getByRole('slider', { name: 'Position in the trace' });
    await scrub.fill('0');
    expect(await scrub.getAttribute('aria-valuetext')).toMatch(/^0 ms of /);
    expect(await page.locator('.call-hop [data-arc=response][data-state=waiting]').count()).toBeGreaterThan(3);
  }); // prettier-ignore

  test('shows the list before the picture of the fleet is there, and says of neither that it is empty', async () => {
    await openContext(large);
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/fleet/topology', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/dashboard/fleet');
    await rows().first().waitFor();
    expect(await page.locator('[data-service]').count()).toBe(0);
    expect(await page.locator('.mesh .loading, .glance .loading').count()).toBe(2);
    expect(await page.getByText(/No services|0 services/).count()).toBe(0);
    answer();
    await page.locator('[data-service]').first().waitFor();
    expect(await page.locator('.loading').count()).toBe(0);
  }); // prettier-ignore

  test('says of a fleet that cannot be asked not that it is empty, and asks again', async () => {
    await page.route('**/api/fleet/{services,topology,traces*}', (route) =>
      route.fulfill({ status: 502, contentType: 'application/problem+json', body: '{"status":502,"title":"away"}' }),
    );
    await page.goto('/dashboard/fleet');
    await page.locator('.mesh .loading').waitFor();
    await page.waitForTimeout(500);
    expect(await page.getByText(/No services|0 services|What you see/).count()).toBe(0);
    expect(await page.locator('.panel-hint').first().innerText()).toBe('');
    await page.unroute('**/api/fleet/{services,topology,traces*}');
    await page.locator('[data-service]').first().waitFor();
    // The browser writes down each answer of 502.
    complaints = [];
  });

  test('scrolls through two thousand traces with a handful of them in the document', async () => {
    await openContext(large);
    await page.goto('/dashboard/fleet');
    await rows().first().waitFor();
    await page.locator('[data-service]').first().waitFor();
    expect(await page.locator('[data-service]').count()).toBe(200);
    const box = page.locator('.trace-rows');
    const end = async () => box.evaluate((element) => void element.scrollTo(0, element.scrollHeight));
    const newest = await read<readonly { trace_id: string }[]>('traces?limit=1&min_services=1');
    expect(await rows().first().getAttribute('data-trace')).toBe(newest[0]?.trace_id);
    while ((await page.locator('.panel-hint').first().innerText()) !== '2,000') {
      await end();
      await page.waitForTimeout(50);
    }
    await end();
    await rows().last().click();
    await page.locator('.span-row').nth(14).waitFor();
    expect(await rows().count()).toBeLessThan(60);
    expect(await page.locator('.call-hop').count()).toBeGreaterThan(5);
  });

  test('folds a fleet of sixty into groups, opens one, and shows a chosen service with whom it speaks', async () => {
    const fleet = await show(servicesOf(GROUPED));
    try {
      await fleet.beat({ 'team3-api': 0.5 });
      const grouped = new SimulatedFleet(GROUPED, chance(5));
      for (let n = 60; n > 0; n--) await fleet.send(grouped.request(Date.now() - n * 200));
      await openContext(fleet);
      await page.goto('/dashboard/fleet');
      const card = (name: string) => page.locator(`[data-service="${name}"]`);
      await card('team3 · 6').waitFor();
      expect(await page.locator('[data-service]').count()).toBe(10);
      expect(await card('team3 · 6').textContent()).toMatch(/1 of 6 not well/);
      expect(await page.evaluate(textsBeyondTheirCards)).toEqual([]);
      // The buttons of the picture cover no card.
      expect(await page.evaluate(coveredCards)).toEqual([]);
      await card('team3 · 6').click();
      await card('team3-api').waitFor();
      expect(await page.locator('[data-service]').count()).toBe(15);
      expect(await page.evaluate(textsBeyondTheirCards)).toEqual([]);
      // What is shown has an address.
      await page.reload();
      await card('team3-worker').click();
      await card('team4-api').waitFor();
      expect((await page.locator('[data-service]').evaluateAll((all) => all.map((each) => each.getAttribute('data-service')))).sort()).toEqual([
        'team3-api', 'team3-worker', 'team4-api',
      ]);
      await page.getByRole('button', { name: 'All 60 services' }).click();
      await card('team9-notifications-renderer').waitFor();
      expect(await page.locator('[data-service]').count()).toBe(60);
      await page.getByRole('button', { name: 'Only its neighbours' }).click();
      await card('team3-worker').click();
      await page.getByRole('button', { name: 'Fold team3' }).click();
      await card('team3 · 6').waitFor();
      await openContext(fleet, { viewport: { width: 390, height: 844 } });
      for (const view of ['', '?view=incidents', '?view=services', '?view=bounds']) {
        await page.goto(`/dashboard/fleet${view}`);
        await page.locator('h1').waitFor();
        expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([view, 390]);
      }
    } finally {
      // First the page, which asks the server again and again.
      await context.close();
      await fleet.app.stop();
    }
  }); // prettier-ignore

  test('an incident is silenced, gets a note, and its link leads back to it', async () => {
    await openContext(small, { permissions: ['clipboard-read', 'clipboard-write'] });
    for (let n = 60; n > 0; n--) await small.send(shop.request(Date.now() - n * 20, BANK_TIMEOUT));
    await page.goto('/dashboard/fleet?view=incidents');
    const incident = page.locator('.incident-open', { hasText: 'bank-adapter' }).first();
    await incident.getByRole('button', { name: 'Add a note' }).click();
    await incident.getByLabel('Note').fill('the bank knows of it');
    await incident.getByRole('button', { name: 'Save the note' }).click();
    await incident.locator('.notes', { hasText: 'the bank knows of it' }).waitFor();
    await incident.getByRole('button', { name: 'Silence for an hour' }).click();
    await incident.getByRole('button', { name: 'End the silence' }).waitFor();
    const [{ id, silenced_until_unix: until = 0, notes = [] } = { id: 0 }] = (
      await read<readonly { id: number; silenced_until_unix?: number; notes?: readonly { text: string }[] }[]>(
        'incidents',
      )
    ).filter(({ silenced_until_unix: silenced }) => silenced !== undefined);
    expect(until).toBeGreaterThan(Date.now() / 1000 + 3_000);
    expect(notes.map(({ text }) => text)).toEqual(['the bank knows of it']);
    // Nobody is told of it on the other pages any more.
    expect(await page.locator('.incident-strip', { hasText: 'bank-adapter' }).count()).toBe(0);
    await incident.getByRole('button', { name: 'Copy the link to this incident' }).click();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(new URL(link).hash).toBe(`#incident-${id}`);
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator(`#incident-${id}`, { hasText: 'the bank knows of it' }).waitFor();
    await page.locator(`#incident-${id}`).getByRole('button', { name: 'End the silence' }).click();
    await page.locator(`#incident-${id}`).getByRole('button', { name: 'Silence for an hour' }).waitFor();
  });

  test('new traces come in above without moving what is read', async () => {
    await page.goto('/dashboard/fleet');
    await page.locator('.link-there').waitFor();
    await rows().first().waitFor();
    const box = page.locator('.trace-rows');
    await box.evaluate((element) => void element.scrollTo(0, 1_040));
    const row = page.locator('a[data-trace]').nth(14);
    const id = await row.getAttribute('data-trace');
    const place = async () => (await page.locator(`a[data-trace="${id}"]`).boundingBox())?.y;
    const before = await place();
    const spans = shop.request(Date.now());
    await small.send(spans);
    const count = page.locator('.panel-hint').first();
    const had = await count.innerText();
    while ((await count.innerText()) === had) await page.waitForTimeout(50);
    expect(await place()).toBe(before);
    // Paused, the list stays as it is; resumed, it takes in what it missed.
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.getByRole('button', { name: 'Paused' }).waitFor();
  });

  test('exports a trace and imports it again, where it counts as seen', async () => {
    await openFailed();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export', exact: true }).click(),
    ]);
    const file = await download.path();
    const { spans, format } = JSON.parse(await readFile(file, 'utf8')) as { format: string; spans: SpanRecord[] };
    expect(format).toBe('fw-fleet-export');
    await page.goto('/dashboard/fleet?view=bounds');
    const before = await read<{ spans_duplicate: number }>('stats');
    await page.getByLabel('Import a file').setInputFiles(file);
    await page.getByText(`${spans.length} spans imported.`).waitFor();
    expect((await read<{ spans_duplicate: number }>('stats')).spans_duplicate).toBe(before.spans_duplicate + spans.length);
    await page.getByLabel('Import a file').setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('notes') });
    await page.getByText('notes.json is no JSON.').waitFor();
  }); // prettier-ignore

  test('says that a trace is gone, and goes back to the list', async () => {
    await page.goto(`/dashboard/fleet?trace=${'e'.repeat(32)}`);
    await page.getByText('This trace cannot be shown').waitFor();
    await page.getByText('trace not found').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(new URL(page.url()).searchParams.get('trace')).toBeNull();
    complaints.splice(0); // The browser reports the 404 itself.
  });

  test('fits a screen of 390 pixels, and moves without motion where that is wanted', async () => {
    await openContext(small, { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    await openFailed();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Next moment' }).click();
    expect(await page.locator('.pulse:not(.pulse-off)').count()).toBe(0);
    expect(await page.locator('.playback-time').innerText()).toMatch(/^0 ms \/ /);
  });

  test('shows the names of services deep in a trace at 390 pixels', async () => {
    const [, innermost] = SHOP[0] as (typeof SHOP)[number];
    let route = innermost;
    for (let depth = 0; depth < 9; depth++) route = { ...innermost, calls: [route] };
    const spans = shop.trace(route, Date.now());
    await small.send(spans);
    await openContext(small, { viewport: { width: 390, height: 844 } });
    await page.goto(`/dashboard/fleet?trace=${spans[0]?.trace_id}`);
    await page.locator('.span-row[aria-level="10"] .span-service').first().waitFor();
    const rooms = await page.evaluate(roomsOfServices);
    expect(rooms.length).toBeGreaterThan(10);
    expect(Math.min(...rooms)).toBeGreaterThan(40);
  });

  test('shows the names of services that failed at 390 pixels, and the whole of the chosen tab', async () => {
    await openContext(small, { viewport: { width: 390, height: 844 } });
    await openFailed();
    await page.locator('.span-row.mark-cause .mark').waitFor();
    for (const name of await page
      .locator('.span-row.mark-cause .span-service, .span-row.mark-derived .span-service')
      .all())
      expect((await name.boundingBox())?.width).toBeGreaterThan(30);
    await page.goto('/dashboard/fleet?view=bounds');
    const tab = page.getByRole('tab', { name: /^Bounds \(/ });
    await tab.waitFor();
    const { x = 0, width = 0 } = (await tab.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(390);
  });

  if (!UPDATE) return;
  test.each(['light', 'dark'] as const)('screenshots, %s', async (colorScheme) => {
    await mkdir(IMAGES, { recursive: true });
    await openContext(small, { colorScheme, viewport: { width: 1440, height: 1080 } });
    const shoot = async (name: string) => {
      await small.beat({ 'bank-adapter': 0.24, payments: 0.2, checkout: 0.2 });
      await page.waitForTimeout(5_000); // until the page has asked for them
      await page.screenshot({ path: path.join(IMAGES, `${name}-${colorScheme}.png`) });
    };
    await page.goto('/dashboard/fleet');
    await rows().first().waitFor();
    await shoot('fleet');
    await openFailed('&service=web');
    await shoot('fleet-trace');
    await page.locator('.cause').getByRole('button', { name: 'Show span' }).click();
    await page.locator('.cause').getByRole('button', { name: 'Blast radius' }).click();
    await shoot('fleet-cause');
    await page.goto('/dashboard/fleet?view=incidents');
    await shoot('fleet-incidents');
    await page.goto('/dashboard/fleet?view=services');
    await shoot('fleet-services');
    await page.goto('/dashboard/fleet?view=bounds');
    await shoot('fleet-bounds');
  }); // prettier-ignore
});
