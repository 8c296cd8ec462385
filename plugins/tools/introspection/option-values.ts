import type { ts as TypeScript } from 'ts-morph';
import { redact } from '../../../kernel/index.js';

/**
 * Values of options with literals, redacted for display; for `env.PORT ?? 3000` the fallback 3000, and for `env.PORT` its default. Secrets
 * that a project has in its sources are left out.
 *
 * @param defaults - source texts of the defaults of environment variables
 */
export function optionsOf(
  options: TypeScript.ObjectLiteralExpression,
  defaults: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const property of options.properties) {
    const text = property.getText();
    const [, name, value] = /^['"]?([\w-]+)['"]?\s*:\s*([\s\S]+)$/.exec(text) ?? [];
    const read =
      value === undefined
        ? undefined
        : literalIn(defaults.get(/^env\.(\w+)$/.exec(value.trim())?.[1] ?? '') ?? value.trim());
    if (name !== undefined && read !== undefined) found[name] = redact(read, undefined, name);
  }
  return found;
}

function literalIn(source: string): unknown {
  const fallback = /^(?:Number\()?[\w.]+\s*\?\?\s*([\s\S]+?)\)?$/.exec(source)?.[1];
  const text = (fallback ?? source).trim();
  if (/^-?[\d_]+(\.\d+)?$/.test(text)) return Number(text.replaceAll('_', ''));
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^\[[\s\S]*\]$/.test(text)) return textsIn(text);
  return /^(['"`])((?:(?!\1|\\|\$\{)[\s\S])*)\1$/.exec(text)?.[2];
}

// Reads a list of text literals; undefined for anything else.
function textsIn(list: string): readonly string[] | undefined {
  const texts = [...list.matchAll(/(['"`])((?:(?!\1|\\|\$\{)[\s\S])*)\1/g)].map(([, , text = '']) => text);
  return list.replaceAll(/(['"`])(?:(?!\1|\\|\$\{)[\s\S])*\1/g, '').replaceAll(/[\s,]/g, '') === '[]'
    ? texts
    : undefined;
}
