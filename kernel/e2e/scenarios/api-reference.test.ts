import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpServer } from 'fw';
import type { Browser } from 'playwright-core';
import config from '../../../app.config.js';
import { objections } from '../../../plugins/docs/testing/openapi-validators.js';
import { anyOptions } from '../../../plugins/orm/contract/any-database.js';
import { bootConfig } from '../../testing/boot-config.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../testing/browser.js';
import type { BootedTestApp } from '../../testing/index.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

let app: BootedTestApp;
let url: string;

beforeAll(async () => {
  app = await bootConfig(config, { root: ROOT, without: ['fw/mcp'], overrides: { orm: await anyOptions() } });
  ({ url } = app.services.get(HttpServer));
});
afterAll(() => app?.stop());

describe('the API reference of the reference app', () => {
  test('is a document that two validators find valid, with the shop in it and nothing of the framework', async () => {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { tags: string[]; security?: unknown }>>;
    };
    expect(await objections(document)).toEqual([]);
    expect(Object.keys(document.paths).every((each) => each.startsWith('/api/'))).toBe(true);
    expect(document.paths['/api/admin/summary']?.['get']?.security).toEqual([{ bearer: ['admin'] }]);
    expect(document.paths['/api/admin/login']?.['post']).not.toHaveProperty('security');
    expect(app.diagnostics.get('docs')).toMatchObject({ status: 'ok', detail: { without_title: 0 } });
  });
});

describeWithBrowser(await findBrowser(), 'the reference UI of the reference app in Chromium', (executablePath) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });
  afterAll(() => browser?.close());

  test('shows tags, inputs and outputs, and places an order, without a complaint of the browser', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    await fetch(`${url}/api/customers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ann', email: 'ann@example.org' }),
    });
    await page.goto(`${url}/docsui#/orders/postApiOrders`);
    const operation = page.locator('.opblock.is-open');
    await operation.locator('textarea').fill('{"customerId":1,"lines":[{"productId":1,"quantity":2}]}');
    expect(await page.locator('.opblock-tag span').allInnerTexts()).toEqual([
      'admin',
      'customers',
      'orders',
      'products',
    ]);
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table tbody');
    await answer.locator('.response-col_status', { hasText: '201' }).waitFor();
    const placed = JSON.parse(await answer.locator('.response-col_description pre').first().innerText()) as object;
    expect(placed).toMatchObject({ customerId: 1, lines: [{ productId: 1, quantity: 2 }] });
    expect(await operation.locator('.responses-table .json-schema-2020-12').first().innerText()).toContain(
      'priceCents',
    );
    expect(complaints).toEqual([]);
  });
});
