import path from 'node:path';

/**
 * Removes from built files what esbuild puts into each of them and a file does not use:
 *
 * - the banner, which makes a `require`;
 * - the import, for its effects, of the file with esbuild's own helpers, which has none.
 *
 * Both are small, but a start pays for them in every file. Lines and columns stay, so source maps stay correct.
 *
 * @param {import('esbuild').Metafile} metafile
 * @param {string} banner - a line
 * @returns {(file: string, contents: Uint8Array) => Uint8Array}
 */
export function leanFiles(metafile, banner) {
  const helpers = Object.entries(metafile.outputs)
    .filter(([file, { inputs, entryPoint }]) => file.endsWith('.js') && !entryPoint && Object.keys(inputs).length === 0)
    .map(([file]) => path.basename(file, '.js'));
  const importOfHelpers = new RegExp(`\\bimport"[./]+(?:chunks/)?(?:${helpers.join('|')})\\.js";`, 'g');
  return (file, contents) => {
    if (!file.endsWith('.js')) return contents;
    const text = Buffer.from(contents).toString();
    if (!text.startsWith(banner)) return contents;
    const code = text.slice(banner.length).replace(importOfHelpers, (statement) => ' '.repeat(statement.length));
    const isIdle = !/\b(?:require|__fwOnDemand)\b/.test(code);
    return Buffer.from((isIdle ? '' : banner) + code);
  };
}
