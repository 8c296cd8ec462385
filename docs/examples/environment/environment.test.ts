import { expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;

test('the guide to the configuration shows this program', () => {
  const guide = readFileSync(path.join(here, '../../guides/configuration.md'), 'utf8');
  expect(guide).toContain(`\`\`\`ts\n${readFileSync(path.join(here, 'environment.ts'), 'utf8')}\`\`\``);
});

test('reads the variables that it names', async () => {
  const given = { DATABASE_URL: 'postgres://127.0.0.1/shop', JWT_SECRET: 'x'.repeat(32), ORIGINS: 'https://a.example' };
  jest.replaceProperty(process, 'env', { ...process.env, ...given, PORT: '', MAIL_FROM: '' });
  const { env } = await import('./environment.js');
  expect(env).toEqual({ ...given, PORT: 3000, ORIGINS: ['https://a.example'] });
});
