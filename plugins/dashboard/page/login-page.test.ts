import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { runProcess } from '../../../kernel/process/index.js';
import { accessibilityProblems } from '../../../kernel/testing/accessibility.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../../kernel/testing/browser.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import securityHeaders from '../../middleware/security-headers/index.js';
import dashboard from '../index.js';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const IMAGES = path.join(ROOT, 'docs/images/dashboard');
/** `npm run screenshots` writes the pictures of the documentation on the way. */
const UPDATE = process.env['FW_UPDATE_DOCS'] === '1';
const PASSWORD = 'a password of the tests';

describeWithBrowser(await findBrowser(), 'the login page in Chromium', (executablePath) => {
  let app: BootedTestApp;
  let url: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the browser objects to: errors, policy violations. */
  let complaints: string[];

  beforeAll(async () => {
    const built = await runProcess({
      command: process.execPath,
      args: [path.join(ROOT, 'plugins/dashboard/bundle/bundle-ui.mjs')],
      cwd: ROOT,
      timeoutMs: PATIENCE_MS,
      maxOutputBytes: 100_000,
    });
    expect(built.exitCode).toBe(0);
    app = await bootTestApp({
      name: 'shop',
      plugins: [
        plugin(async () => http, { port: 0 }),
        plugin(async () => dashboard, { username: 'ada', password: PASSWORD }),
        securityHeaders,
      ],
    });
    ({ url } = app.services.get(HttpServer));
    browser = await launchBrowser(executablePath);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  beforeEach(() => openContext());
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  async function openContext(options: Parameters<Browser['newContext']>[0] = {}) {
    await context?.close();
    context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 }, ...options });
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => {
      // The answers with 401 and 403 that a test asks for are reported there too.
      if (message.type() === 'error' && !/status of 40[13]/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  }

  async function logIn(password = PASSWORD) {
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const pathNow = () => new URL(page.url()).pathname + new URL(page.url()).search;

  test('turns a wrong password away, takes the right one, and goes back to the page that was asked for', async () => {
    await page.goto('/dashboard/logs?level=error');
    await heading('shop');
    expect(pathNow()).toBe('/dashboard/login?next=%2Fdashboard%2Flogs%3Flevel%3Derror');
    await logIn('a wrong one');
    await page.getByRole('alert').getByText('User name or password is wrong.').waitFor();
    expect(await context.cookies()).toEqual([]);
    // The next attempt begins at the password, which is selected.
    await page.locator('input[name=password]:focus').waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading('Logs');
    expect(pathNow()).toBe('/dashboard/logs?level=error');
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('works before its script is there, or without', async () => {
    await openContext({ javaScriptEnabled: false });
    await page.goto('/dashboard/routes');
    await logIn('a wrong one');
    await page.getByText('User name or password is wrong.').waitFor();
    expect(page.url()).toBe(`${url}/dashboard/login`);
    await logIn();
    await page.waitForURL('**/dashboard/routes');
  });

  test('logs out, and nothing of the session works afterwards', async () => {
    await page.goto('/dashboard');
    await logIn();
    await heading('Overview');
    const [session] = await context.cookies();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/dashboard/login');
    expect(await context.cookies()).toEqual([]);
    const asBefore = await fetch(`${url}/dashboard/api/routes`, {
      headers: { cookie: `${session?.name}=${session?.value}` },
    });
    expect(asBefore.status).toBe(401);
    await page.goBack();
    await page.waitForURL('**/dashboard/login**');
    await page.getByLabel('Password').waitFor();
  });

  test('a page whose session has ended leads to the login and back', async () => {
    await page.goto('/dashboard/routes');
    await logIn();
    await heading('Routes');
    await context.clearCookies();
    // Whatever asks first notices: the page that is left, which may be gone before it is clicked, or the one that is opened.
    const atLogin = page.waitForURL(/\/dashboard\/login\?next=%2Fdashboard%2F(routes|queries)$/);
    await page.evaluate('document.querySelector(\'a[href$="/queries"]\')?.click()').catch(() => undefined);
    await atLogin;
    await logIn();
    await page.getByRole('heading', { level: 1, name: /^(Routes|Queries)$/ }).waitFor();
  });

  test('another page of the browser can neither log out nor read, not even of the same address', async () => {
    await page.goto('/dashboard');
    await logIn();
    await heading('Overview');
    const ask = (path: string, method: string, headers: Record<string, string>) =>
      page.evaluate(
        async (request) => (await fetch(request.path, { method: request.method, headers: request.headers })).status,
        { path, method, headers },
      );
    expect(await ask('/dashboard/logout', 'POST', {})).toBe(403);
    expect(await ask('/dashboard/logout', 'POST', { 'X-FW-CSRF': 'f'.repeat(64) })).toBe(403);
    expect(await ask('/dashboard/api/routes', 'GET', {})).toBe(200);
    // SameSite=Strict (RFC 6265bis, 5.2): another site's request comes without the session.
    const foreign = await context.newPage();
    await foreign.goto(`data:text/html,<form method=post action="${url}/dashboard/logout"><button>Win</button></form>`);
    const [answer] = await Promise.all([
      foreign.waitForResponse('**/dashboard/logout'),
      foreign.getByRole('button').click(),
    ]);
    expect(answer.status()).toBe(401);
    await page.reload();
    await heading('Overview');
  });

  test.each(['light', 'dark'] as const)('fits a screen of 390 pixels, %s', async (colorScheme) => {
    await openContext({ colorScheme, viewport: { width: 390, height: 844 } });
    await page.goto('/dashboard');
    await logIn('a wrong one');
    await page.getByRole('alert').getByText('User name or password is wrong.').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await accessibilityProblems(page)).toEqual([]);
    if (!UPDATE) return;
    await mkdir(IMAGES, { recursive: true });
    await page.setViewportSize({ width: 720, height: 560 });
    await page.screenshot({ path: path.join(IMAGES, `login-${colorScheme}.png`) });
  });
});
