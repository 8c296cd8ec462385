import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Type } from 'typebox';
import { HttpServer, plugin, type Router } from '../../../kernel/index.js';
import { accessibilityProblems } from '../../../kernel/testing/accessibility.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../../kernel/testing/browser.js';
import { type BootedTestApp, bootTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import compression from '../../middleware/compression/index.js';
import etag from '../../middleware/etag/index.js';
import security from '../../middleware/security-headers/index.js';
import docs from '../index.js';

type ColorScheme = 'light' | 'dark';
const SHOTS = process.env['FW_TEST_SHOTS'];

const Product = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'As the label says it', examples: ['Green tea'] }),
    kind: Type.Union([Type.Literal('tea'), Type.Literal('cup')]),
    madeAt: Type.Optional(Type.String({ format: 'date-time' })),
    maker: Type.Optional(Type.Object({ name: Type.String(), country: Type.String() })),
  },
  { title: 'Product' },
);
const Id = Type.Object({ id: Type.Integer({ minimum: 1, description: 'Id of the product' }) });
const NewProduct = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 80 }),
  kind: Type.Union([Type.Literal('tea'), Type.Literal('cup')]),
  stock: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
});

function shop(router: Router): void {
  const tags = ['products'];
  router.get('/api/products', { title: 'List products', tags, output: Type.Array(Product) }, () => []);
  router.get(
    '/api/products/:id',
    {
      title: 'Read a product',
      description: 'One product, **as it is now**.',
      tags,
      input: { params: Id },
      output: Product,
    },
    (ctx) => ({ id: ctx.input.params.id, name: `Tea ${ctx.input.params.id}`, kind: 'tea' as const }),
  );
  router.post(
    '/api/products',
    { title: 'Add a product', tags, input: { body: NewProduct }, output: Product, status: 201 },
    (ctx) => ({ id: 7, name: ctx.input.body.name, kind: ctx.input.body.kind }),
  );
  router.patch('/api/products/:id', { title: 'Change a product', tags, input: { params: Id } }, () => undefined);
  router.delete(
    '/api/products/:id',
    { title: 'Remove a product', tags, input: { params: Id }, status: 204 },
    () => undefined,
  );
  router.get('/api/orders', { title: 'List orders', tags: ['orders'], deprecated: true }, () => []);
  router.get('/health', { title: 'Health' }, () => 'ok');
}

function boot(register: (router: Router) => void): Promise<BootedTestApp> {
  return bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      security,
      etag,
      compression,
      plugin(() => Promise.resolve(docs), {
        title: 'Shop API',
        version: '2.1.0',
        description: 'Products and orders of a *small* shop.',
      }),
      routesUnderTest(register),
    ],
  });
}

// What functions that run in the page see; a Node program has no DOM.
interface PageElement {
  readonly parentElement: PageElement | null;
}
declare function getComputedStyle(element: PageElement): { readonly color: string; readonly backgroundColor: string };
declare const document: { querySelector(selector: string): PageElement };
declare const window: { readonly location: { hash: string } };

/** Contrast ratio of elements with what is behind them (WCAG 2.2, relative luminance). Runs in the page. */
function contrastsOf(selectors: readonly string[]): [string, number][] {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element: PageElement | null): string => {
    if (!element) return 'rgb(255, 255, 255)';
    const color = getComputedStyle(element).backgroundColor;
    return channels(color)[3] === 0 ? behind(element.parentElement) : color;
  };
  return selectors.map((selector) => {
    const element = document.querySelector(selector);
    const [light = 0, dark = 0] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort(
      (a, b) => b - a,
    );
    return [selector, (light + 0.05) / (dark + 0.05)];
  });
}

describeWithBrowser(await findBrowser(), 'the reference UI in Chromium', (executablePath) => {
  let browser: Browser;
  /** One for each colour scheme, so that the browser keeps the files. */
  const contexts = new Map<ColorScheme, BrowserContext>();
  let app: BootedTestApp;
  let page: Page;
  let url: string;
  const complaints: string[] = [];
  const foreign: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
    app = await boot(shop);
    url = app.services.get(HttpServer).url;
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  async function contextOf(colorScheme: ColorScheme): Promise<BrowserContext> {
    const context =
      contexts.get(colorScheme) ?? (await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme }));
    contexts.set(colorScheme, context);
    return context;
  }

  async function open(at: string, colorScheme: ColorScheme = 'light'): Promise<Page> {
    page = await (await contextOf(colorScheme)).newPage();
    complaints.length = foreign.length = 0;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) foreign.push(request.url());
    });
    await page.goto(url + at);
    await page.waitForSelector('.fw-ready .opblock-tag-section');
    return page;
  }
  // For a person to look at: FW_TEST_SHOTS names a folder.
  const shot = async (name: string) => {
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  };
  const sidebar = () => page.locator('.fw-nav a:visible').allInnerTexts();
  const isFlat = (text: string) => text.replace(/\s+/g, ' ').trim();
  afterEach(() => page?.close());

  test('shows groups, operations and the description, under the strict headers and without a word from elsewhere [DOCS-OVERVIEW-02]', async () => {
    await open('/docsui');
    await shot('light');
    expect(await page.title()).toBe('Shop API');
    expect((await page.locator('.opblock-tag span').allInnerTexts()).map(isFlat)).toEqual([
      'orders',
      'products',
      'default',
    ]);
    expect((await sidebar()).map(isFlat)).toEqual([
      'GET List orders', 'GET List products', 'POST Add a product', 'GET Read a product', 'DEL Remove a product',
      'PATCH Change a product', 'GET Health',
    ]); // prettier-ignore
    expect(await page.locator('.info .description').innerText()).toContain('Products and orders of a small shop.');
    expect(complaints).toEqual([]);
    expect(foreign).toEqual([]);
  });

  test('sends a request from an open operation and shows the answer', async () => {
    await open('/docsui#/products/getApiProductsById');
    const operation = page.locator('.opblock.is-open');
    expect(isFlat(await operation.locator('.opblock-description').innerText())).toBe('One product, as it is now.');
    await operation.locator('input[placeholder="id"]').fill('4');
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table');
    expect(isFlat(await answer.locator('tbody .response-col_status').first().innerText())).toBe('200');
    expect(JSON.parse(await answer.locator('tbody .response-col_description pre').first().innerText())).toEqual({
      id: 4,
      name: 'Tea 4',
      kind: 'tea',
    });
    await shot('try-it');
    expect(complaints).toEqual([]);
  });

  test('sends a body, made from the schema, and shows a refusal as it came', async () => {
    await open('/docsui#/products/postApiProducts', 'dark');
    const operation = page.locator('.opblock.is-open');
    expect(JSON.parse(await operation.locator('textarea').inputValue())).toEqual({
      name: 'string',
      kind: 'tea',
      stock: 0,
    });
    await operation.locator('.execute').click();
    const status = operation.locator('.live-responses-table tbody .response-col_status').first();
    await status.getByText('201').waitFor();
    await shot('dark');
    await operation.locator('textarea').fill('{"name":""}');
    await operation.locator('.execute').click();
    await status.getByText('422').waitFor();
    expect(await operation.locator('.live-responses-table').innerText()).toContain('Validation Failed');
  });

  test('opens the operation that the address names, and writes the address of the one that is opened', async () => {
    await open('/docsui#/orders/getApiOrders');
    await page.locator('#operations-orders-getApiOrders .opblock-body').waitFor();
    await page.locator('.fw-nav a', { hasText: 'Read a product' }).click();
    await page.locator('#operations-products-getApiProductsById.is-open').waitFor();
    expect(new URL(page.url()).hash).toBe('#/products/getApiProductsById');
    await page.evaluate(() => void (window.location.hash = '#/default/getHealth'));
    await page.locator('#operations-default-getHealth.is-open').waitFor();
  });

  test('filters by method, path and title, in the list and in the page', async () => {
    await open('/docsui');
    await page.keyboard.press('/');
    await page.keyboard.type('products read');
    // The first word alone leaves all products, until the second one is typed.
    await page.locator('.fw-nav a', { hasText: 'Add a product' }).waitFor({ state: 'hidden' });
    expect((await sidebar()).map(isFlat)).toEqual(['GET Read a product']);
    await page.locator('#operations-products-postApiProducts').waitFor({ state: 'detached' });
    expect(await page.locator('.opblock').count()).toBe(1);
    await page.locator('.fw-filter').fill('nothing like it');
    await page.getByText('No operation matches.').waitFor();
    await page.locator('.fw-filter').fill('');
    await page.locator('#operations-default-getHealth').waitFor();
    expect(await page.locator('.opblock').count()).toBe(7);
  });

  test('follows the colour scheme of the reader, with readable contrast in both', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await open('/docsui', scheme);
      const contrasts = await page.evaluate(contrastsOf, [
        '.fw-title',
        '.fw-label',
        '.fw-version',
        '.info .title',
        '.opblock-summary-description',
        '.fw-get',
        '.fw-post',
        '.fw-delete',
        '.fw-patch',
      ]);
      for (const [selector, contrast] of contrasts)
        expect([scheme, selector, contrast >= 4.5]).toEqual([scheme, selector, true]);
      await page.close();
    }
  });

  test.each(['light', 'dark'] as const)('breaks no rule of accessibility, wide or narrow: %s', async (colorScheme) => {
    await open('/docsui#/products/getApiProductsById', colorScheme);
    await page.locator('.opblock.is-open .fw-samples summary').click();
    // An open operation has another background: open one of each method.
    for (const method of ['post', 'put', 'patch', 'delete']) {
      const closed = page.locator(`.opblock-${method}:not(.is-open) .opblock-summary-control`).first();
      if ((await closed.count()) > 0) await closed.click();
    }
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
  });

  test('has its list of operations behind a button on a phone', async () => {
    await open('/docsui');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await sidebar()).toEqual([]);
    await page.getByRole('button', { name: 'Operations' }).click();
    await page.locator('.fw-nav a', { hasText: 'Read a product' }).click();
    await page.locator('#operations-products-getApiProductsById.is-open').waitFor();
    expect(await sidebar()).toEqual([]);
  });

  test('opens from an address with a slash at the end as well', async () => {
    await open('/docsui/');
    expect(await page.locator('.opblock').count()).toBe(7);
    expect(complaints).toEqual([]);
  });

  test('says what is wrong when the document does not come', async () => {
    page = await browser.newPage();
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 503 }));
    await page.goto(`${url}/docsui`);
    expect(await page.getByRole('alert').innerText()).toMatch(/cannot be shown: .* answered 503/);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('can be read without operations: %s', async (colorScheme) => {
    page = await (await contextOf(colorScheme)).newPage();
    const json = { openapi: '3.1.0', info: { title: 'Nothing yet', version: '1.0.0' }, paths: {} };
    await page.route('**/openapi.json', (route) => route.fulfill({ json }));
    await page.goto(`${url}/docsui`);
    await page.waitForSelector('#operations h3[aria-level]', { timeout: 20_000 });
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('stays usable with 1,000 routes: groups are closed, and filtering draws what was asked for', async () => {
    const large = await boot((router) => {
      for (let index = 0; index < 1000; index++) {
        const tags = [`group ${String(index % 20).padStart(2, '0')}`];
        router.get(
          `/api/things/${index}/:id`,
          { title: `Read thing ${index}`, tags, input: { params: Id }, output: Product },
          () => undefined as never,
        );
      }
    });
    try {
      url = large.services.get(HttpServer).url;
      await open('/docsui');
      // Groups are closed: what nobody asked for is not drawn.
      expect(await page.locator('.opblock').count()).toBe(0);
      expect(await page.locator('.opblock-tag').count()).toBe(20);
      await page.locator('.fw-filter').fill('thing 777');
      await page.locator('#operations-group_17-getApiThings777ById').waitFor();
      expect(await page.locator('.opblock').count()).toBe(1);
      await page.locator('.fw-nav a:visible', { hasText: 'Read thing 777' }).click();
      await page.locator('#operations-group_17-getApiThings777ById.is-open').waitFor();
      await shot('thousand');
    } finally {
      url = app.services.get(HttpServer).url;
      await large.stop();
    }
  });
});
