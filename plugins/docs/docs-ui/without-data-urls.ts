import type { DocsPageFile } from '../../../kernel/index.js';

/** A file that was embedded in a style sheet. */
interface ExtractedFile extends DocsPageFile {
  readonly name: string;
}

const DATA_URL = /url\((["']?)data:([\w/+.-]+)((?:;[\w-]+(?:=[\w-]+)?)*),((?:(?!\1\)).)*)\1\)/g;

/**
 * Moves the images of a style sheet into files of their own, because `default-src 'self'` allows no `data:` addresses
 * (CSP Level 3, section 6.7.2.8).
 */
export function withoutDataUrls(css: string): { readonly css: string; readonly files: readonly ExtractedFile[] } {
  const files = new Map<string, ExtractedFile>();
  const text = css.replace(DATA_URL, (_whole, _quote, type: string, parameters: string, data: string) => {
    const name = `viewer-${files.size + 1}.${type.split('/')[1]?.replace('+xml', '') ?? 'bin'}`;
    const body = parameters.includes(';base64') ? Buffer.from(data, 'base64') : Buffer.from(decoded(data));
    const known = [...files.values()].find((file) => file.type === type && file.body.equals(body));
    files.set(known?.name ?? name, known ?? { name, type, body });
    return `url(${known?.name ?? name})`;
  });
  return { css: text, files: [...files.values()] };
}

// CSS escapes quotes inside strings; the data itself is percent-encoded or plain.
function decoded(data: string): string {
  const unescaped = data.replace(/\\(["'\\])/g, '$1');
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
}
