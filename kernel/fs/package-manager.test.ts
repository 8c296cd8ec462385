import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { packageManagerOf } from './index.js';

let workspace: string;
let project: string;
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'fw-manager-'));
  mkdirSync((project = path.join(workspace, 'shop')));
});
afterEach(() => rmSync(workspace, { recursive: true }));

test.each([
  ['npm', { 'shop/package-lock.json': '{}' }],
  ['pnpm', { 'shop/pnpm-lock.yaml': '' }],
  ['yarn', { 'shop/yarn.lock': '' }],
  ['bun', { 'shop/bun.lock': '' }],
  ['bun', { 'shop/bun.lockb': '' }],
  ['pnpm', { 'pnpm-lock.yaml': '' }],
  ['npm', { 'pnpm-lock.yaml': '', 'shop/package-lock.json': '{}' }],
  ['yarn', { 'shop/package.json': '{"packageManager":"yarn@4.9.1"}' }],
  ['pnpm', { 'shop/package.json': '{"packageManager":"yarn@4.9.1"}', 'shop/pnpm-lock.yaml': '' }],
  ['npm', { 'shop/package.json': 'half' }],
  ['npm', {}],
])('a project is installed with %s where there is %j', (command, files) => {
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(workspace, file), text);
  expect(packageManagerOf(project).command).toBe(command);
});
