const OURS = String.raw`(?:fw|fw-mcp|@fw\/[\w-]+)`;
const END = String.raw`(?=@|["'\x60)\].,;:]|\s|$)`;

// Package runners download a package that is not installed; only node-gyp is meant to be downloaded.
const RUNNERS = String.raw`\b(?:npx|bunx|pnpx|npm (?:exec|x|create|init)|pnpm (?:dlx|create)|yarn (?:dlx|create)|bun x)\b`;
const RUNS = new RegExp(String.raw`${RUNNERS}(?! --no -- )(?: +-\S+)* +(?!node-gyp\b)(?:[\w@./-]+)`, 'g');
const AS_DATA = /["'](?:npx|bunx|pnpx)["'](?!,\s*["']?args["']?: \[["']--no["'], ["']--["'],)/g;
const INSTALLS = new RegExp(String.raw`\b(?:npm|pnpm|yarn|bun) (?:i|install|add)\b[^\n"'\x60]*?[ ]${OURS}${END}`, 'g');

/**
 * Commands in a text that would make a package manager fetch `fw`, or another of our names, from the registry, where strangers
 * may own them.
 */
export function fetchingCommands(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => /\b(?:np[mx]|pnpx?|pnpm|yarn|bunx?)\b/.test(line));
  return lines.flatMap((line) => [RUNS, AS_DATA, INSTALLS].flatMap((pattern) => line.match(pattern) ?? []));
}

/** Dependencies of a package.json that npm would fetch under our names. */
export function fetchedDependencies(manifest: Readonly<Record<string, unknown>>): readonly string[] {
  const meta = (manifest['peerDependenciesMeta'] ?? {}) as Readonly<Record<string, { readonly optional?: boolean }>>;
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((group) =>
    Object.entries((manifest[group] ?? {}) as Readonly<Record<string, string>>)
      .filter(([name]) => new RegExp(`^${OURS}$`).test(name))
      .filter(([name]) => group !== 'peerDependencies' || meta[name]?.optional !== true)
      .filter(([, specifier]) => !specifier.startsWith('file:'))
      .map(([name, specifier]) => `${group}: ${name}@${specifier}`),
  );
}
