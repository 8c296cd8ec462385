interface Range {
  readonly tag: string;
  readonly weight: number;
}

/**
 * The best of the available locales for an `Accept-Language` header: by weight, an exact match or a shorter form of the requested one (RFC
 * 4647, section 3.4, lookup).
 *
 * @param available - in their own spelling
 * @param any - locale for `*`
 */
export function negotiateLocale(header: string, available: readonly string[], any: string): string | undefined {
  const byLowerCase = new Map(available.map((locale) => [locale.toLowerCase(), locale]));
  for (const { tag } of rangesOf(header)) {
    if (tag === '*') return any;
    for (let range = tag; range !== ''; range = range.slice(0, Math.max(0, range.lastIndexOf('-')))) {
      const found = byLowerCase.get(range);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function rangesOf(header: string): readonly Range[] {
  return header
    .toLowerCase()
    .split(',')
    .map(rangeOf)
    .filter(({ tag, weight }) => /^(?:\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)$/.test(tag) && weight > 0)
    .sort((a, b) => b.weight - a.weight);
}

function rangeOf(part: string): Range {
  const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
}
