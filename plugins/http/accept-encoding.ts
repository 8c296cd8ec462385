/** Content codings that fw can produce, in the server's order of preference (SPEC "Middleware chain", 9). */
export const ENCODINGS = ['br', 'gzip', 'deflate'] as const;

/** One of {@link ENCODINGS}. */
export type Encoding = (typeof ENCODINGS)[number];

/** Most cached header values. */
const MEMO_SIZE = 256;
/** Longest of them, in characters. */
const LONGEST_REMEMBERED = 256;
const memo = new Map<string, Encoding | null>();

/**
 * The coding for a client: its highest weight wins, the server's order decides among equals (RFC 9110, section 12.5.3).
 *
 * @param header - value of `Accept-Encoding`; invalid members count as not acceptable
 * @param offered - the codings to choose from, in the server's order; default all
 * @returns undefined when the client prefers, or only accepts, no encoding
 */
export function negotiateEncoding(header: string, offered: readonly Encoding[] = ENCODINGS): Encoding | undefined {
  return offered === ENCODINGS ? remembered(header) : choose(weightsOf(header), offered);
}

function remembered(header: string): Encoding | undefined {
  const known = memo.get(header);
  if (known !== undefined) return known ?? undefined;
  const chosen = choose(weightsOf(header), ENCODINGS);
  if (memo.size >= MEMO_SIZE) memo.clear();
  if (header.length <= LONGEST_REMEMBERED) memo.set(header, chosen ?? null);
  return chosen;
}

function choose(weights: ReadonlyMap<string, number>, offered: readonly Encoding[]): Encoding | undefined {
  const any = weights.get('*') ?? 0;
  const weightOf = (encoding: string) => weights.get(encoding) ?? any;
  let best: Encoding | undefined;
  for (const encoding of offered) {
    if (weightOf(encoding) > (best === undefined ? 0 : weightOf(best))) best = encoding;
  }
  const identity = weights.get('identity') ?? 0;
  return best !== undefined && weightOf(best) >= identity ? best : undefined;
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const name = coding === 'x-gzip' ? 'gzip' : coding;
    if (name !== '') weights.set(name, weightOf(parameters));
  }
  return weights;
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const value = weight.slice(weight.indexOf('=') + 1).trim();
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
