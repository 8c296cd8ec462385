import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HttpServer } from 'fw';
import type { Browser } from 'playwright-core';
import config from '../../../app.config.js';
import { anyOptions } from '../../../plugins/orm/contract/any-database.js';
import { bootConfig } from '../../testing/boot-config.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../testing/browser.js';
import type { BootedTestApp } from '../../testing/index.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

describeWithBrowser(await findBrowser(), 'the Fleet page of the reference app in Chromium', (executablePath) => {
  let app: BootedTestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await bootConfig(config, { root: ROOT, without: ['fw/mcp'], overrides: { orm: await anyOptions() } });
    browser = await launchBrowser(executablePath);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  test('shows a request of the shop with its queries, by the aggregator in the same process', async () => {
    const { url } = app.services.get(HttpServer);
    await fetch(`${url}/api/products`);
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${url}/dashboard/fleet`);
    await page.locator('[data-service="shop"]').waitFor();
    await page.locator('a[data-trace]', { hasText: '/api/products' }).first().click();
    await page.locator('.span-row', { hasText: 'SELECT' }).first().waitFor();
    await page.locator('.link-there').waitFor();
    expect(await page.locator('.cause').count()).toBe(0);
    // What people look at the fleet with is not part of the fleet.
    expect(await page.locator('a[data-trace]', { hasText: '/dashboard' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
