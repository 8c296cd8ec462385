import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DoctorContext } from '../../../kernel/contracts/index.js';
import { builtInDialects, type DriverFacts, driverPackage, driverVersion } from '../registry/index.js';
import drivers from './drivers.js';

/** Two dialects with a driver package that nothing compiles, whichever there are. */
const [ONE, OTHER] = builtInDialects
  .map((facts) => ({ name: facts.name, ...driverPackage(facts) }))
  .filter((each) => each.package !== undefined && !each.compiled) as unknown as [Named, Named];

interface Named {
  readonly name: string;
  readonly package: string;
}

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'fw-drivers-'));
  for (const name of [ONE.package, OTHER.package]) {
    mkdirSync(path.join(root, 'node_modules', name), { recursive: true });
    writeFileSync(path.join(root, 'node_modules', name, 'package.json'), JSON.stringify({ name, version: '1.2.3' }));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const found = async (plugins: object[]) => {
  const config = () => Promise.resolve({ config: { plugins }, root, file: '' });
  const context = { root, profile: undefined, config, signal: new AbortController().signal };
  return (await drivers(context as unknown as DoctorContext)).map(({ code, details }) => [code, details?.['driver']]);
};

test('a driver that no database is reached through, in any profile, is told of', async () => {
  expect(await found([{ options: { driver: ONE.name }, variants: {} }])).toEqual(
    expect.arrayContaining([
      ['FW_DOCTOR_DRIVER_UNUSED', OTHER.package],
      ['FW_DOCTOR_DRIVER', ONE.package],
    ]),
  );
  expect(await found([{ options: { driver: OTHER.name }, variants: { test: { driver: ONE.name } } }])).toEqual(
    expect.arrayContaining([
      ['FW_DOCTOR_DRIVER', ONE.package],
      ['FW_DOCTOR_DRIVER', OTHER.package],
    ]),
  );
  expect((await found([])).map(([code]) => code)).toEqual(['FW_DOCTOR_DRIVER', 'FW_DOCTOR_DRIVER']);
});

test('a driver that does not load is told of with the command that mends it', async () => {
  const compiled = builtInDialects.map(driverPackage).find((driver) => driver?.compiled !== undefined) as Named & {
    readonly versions: readonly { readonly version: string }[];
  };
  const commandFor = async (version: string) => {
    // Node keeps what it has read of a package.
    const project = path.join(root, version);
    const folder = path.join(project, 'node_modules', compiled.package);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'index.js'), "throw new Error('compiled against a different Node.js version');");
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: compiled.package, version }));
    const config = () => Promise.resolve({ config: { plugins: [] }, root: project, file: '' });
    const context = { root: project, profile: undefined, config, signal: new AbortController().signal };
    const findings = await drivers(context as unknown as DoctorContext);
    return findings.find(({ code }) => code === 'FW_DOCTOR_NATIVE')?.command;
  };
  const fitting = driverVersion(compiled as unknown as DriverFacts);
  expect(await commandFor(fitting)).toBe(`npm rebuild ${compiled.package}`);
  // One that is for other releases of Node does not get better by being built again.
  expect(await commandFor('1.0.0')).toBe(`npm install ${compiled.package}@${fitting}`);
});
