import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

interface Axe {
  readonly axe: { run(options: object): Promise<AxeResults> };
}

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What breaks a rule of axe on a page, as `rule: element`.
 * @param rules - names of rules (https://dequeuniversity.com/rules/axe); all of them unless told otherwise
 */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(AXE);
  // What broke no rule is not described: that takes longer than looking for what did.
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  const found = await page.evaluate(
    async (given) => (await (globalThis as unknown as Axe).axe.run(given)).violations,
    options,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
