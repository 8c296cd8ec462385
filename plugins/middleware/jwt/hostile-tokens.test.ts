import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Invalid, TokenVerifier, type VerifierOptions } from './token-verifier.js';

const SECRET = 'a secret of thirty-two characters';
const NOW = 1_800_000_000;

type Json = Readonly<Record<string, unknown>>;
const encoded = (value: Json | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const signatureOf = (text: string, secret = SECRET, hash = 'sha256') =>
  createHmac(hash, secret).update(text).digest('base64url');

function signed(header: Json | string, payload: Json | string, secret = SECRET, hash = 'sha256'): string {
  const text = `${encoded(header)}.${encoded(payload)}`;
  return `${text}.${signatureOf(text, secret, hash)}`;
}

const verifier = (rest: Partial<VerifierOptions> = {}) =>
  new TokenVerifier({ secret: SECRET, method: 'HS256', type: 'access', clockTolerance: 0, cacheSize: 16, now: () => NOW * 1000, ...rest }); // prettier-ignore

const HEADER = { alg: 'HS256', typ: 'JWT' };
const CLAIMS = { sub: '7', role: 'member', exp: NOW + 60 };
const GOOD = signed(HEADER, CLAIMS);

/** A verifier that has seen a valid token, so that it tells those of the same header at once. */
async function knowing(cacheSize: number): Promise<TokenVerifier> {
  const own = verifier({ cacheSize });
  expect(await own.verify(GOOD)).toEqual(CLAIMS);
  return own;
}

/** What a verifier makes of a token: at once never more than when it may wait, and the same where it was asked for before. */
async function verdict(own: TokenVerifier, token: string): Promise<'good' | 'refused'> {
  const atOnce = own.atOnce(token);
  const first = await own.verify(token);
  if (first instanceof Invalid) {
    expect(atOnce).toBeUndefined();
    expect(own.atOnce(token)).toBeUndefined();
    if (token.length > 20) expect(first.reason).not.toContain(token);
    return 'refused';
  }
  if (atOnce !== undefined) expect(atOnce).toEqual(first);
  if (isSpelling(token)) expect(own.atOnce(token)).toEqual(first);
  return 'good';
}

// RFC 7515, section 2: base64url without padding, white space or line breaks; and of its last character no bits that say nothing.
const partsOf = (token: string) => token.split('.').map((part) => Buffer.from(part, 'base64url'));
const isSpelling = (token: string) =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

describe.each([16, 0])('a token that somebody changed, with %i of them remembered', (remembered) => {
  test('in any character, or by what stands before, between and behind, is refused', async () => {
    const own = await knowing(remembered);
    expect(await verdict(own, GOOD)).toBe('good');
    const pieces = ['.', '=', '-', '_', '+', '/', 'A', ' ', '\n', '\0', 'é', 'eyJ', 'Bearer '];
    const edit = fc.record({
      at: fc.nat(GOOD.length),
      removed: fc.nat(4),
      put: fc.oneof(fc.constantFrom('', ...pieces), fc.base64String({ maxLength: 4 }), fc.string({ maxLength: 3 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        const token = edits.reduce((text, { at, removed, put }) => text.slice(0, at) + put + text.slice(at + removed), GOOD); // prettier-ignore
        if (token === GOOD) return;
        const outcome = await verdict(own, token);
        if (outcome === 'refused') return;
        // Its last characters may differ in bits that say nothing: the bytes are the same.
        expect(token).toMatch(/^[\w.-]+$/);
        expect(isSpelling(token)).toBe(false);
        expect(partsOf(token)).toEqual(partsOf(GOOD));
      }),
      { numRuns: 300 },
    );
    expect(await verdict(own, GOOD)).toBe('good');
  });

  // RFC 8725, sections 3.1 and 3.2; the forms are those that other libraries fell for.
  test.each<[string, string]>([
    ['"none" without a signature', `${encoded({ alg: 'none' })}.${encoded(CLAIMS)}.`],
    ['"none" with one', signed({ alg: 'none' }, CLAIMS)],
    ['"nOnE"', `${encoded({ alg: 'nOnE' })}.${encoded(CLAIMS)}.`],
    ['another hash', signed({ alg: 'HS512' }, CLAIMS, SECRET, 'sha512')],
    ['another hash under the right name', signed(HEADER, CLAIMS, SECRET, 'sha512')],
    ['a public key as the secret', signed({ alg: 'HS256', jwk: { kty: 'oct', k: encoded('other') } }, CLAIMS, 'other')],
    ['a key in the header', signed({ ...HEADER, jwk: { kty: 'oct', k: encoded('other') } }, CLAIMS, 'other')],
    ['an address of keys in the header', signed({ ...HEADER, jku: 'https://x.example/keys', kid: '1' }, CLAIMS, 'other')],
    ['an unknown critical header', signed({ ...HEADER, crit: ['exp'], exp: 1 }, CLAIMS)],
    ['an unencoded payload (RFC 7797)', signed({ ...HEADER, b64: false, crit: ['b64'] }, CLAIMS)],
    ['an empty signature', GOOD.replace(/[^.]+$/, '')],
    ['two signatures', `${GOOD}.${GOOD.split('.')[2]}`],
    ['white space in its signature', GOOD.replace(/.{4}$/, ' $&')],
    ['white space in its header', GOOD.replace(/^.{8}/, '$& ')],
    ['a line break in its payload', GOOD.replace(/\..{8}/, '$&\n')],
    ['padding', `${GOOD}=`],
    ['characters of plain base64', signed({ ...HEADER, kid: '~~~>>>???' }, CLAIMS).replace(/-/g, '+').replace(/_/g, '/')],
    ['a signature cut short', GOOD.slice(0, -2)],
    ['the JSON serialization', JSON.stringify({ payload: encoded(CLAIMS), signatures: [{ protected: encoded(HEADER), signature: GOOD.split('.')[2] }] })],
    ['five parts', 'a.b.c.d.e'],
    ['no payload', `${encoded(HEADER)}..${signatureOf(`${encoded(HEADER)}.`)}`],
    ['a payload that is a list', signed(HEADER, '[]')],
    ['a payload that is no JSON', signed(HEADER, '{"exp":')],
    ['a header that is no object', signed('"HS256"', CLAIMS)],
    ['nothing', ''],
    ['dots', '..'],
  ])('to have %s is refused', async (_what, token) => {
    expect(await verdict(verifier(), token)).toBe('refused');
    expect(await verdict(await knowing(remembered), token)).toBe('refused');
  }); // prettier-ignore
});

describe('a token that is signed', () => {
  test('is refused for times that are no numbers, have passed or have not come (RFC 7519, section 4.1)', async () => {
    const strange = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.string({ maxLength: 6 }), fc.constantFrom(null, true, [], {}, NOW, NOW - 1, NOW + 1, 1e400, '1900000000')); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(strange, strange, async (exp, nbf) => {
        const token = signed(HEADER, { ...CLAIMS, exp, nbf });
        const outcome = await verdict(verifier(), token);
        expect(await verdict(await knowing(0), token)).toBe(outcome);
        const told = JSON.parse(JSON.stringify({ exp, nbf })) as { readonly exp: unknown; readonly nbf: unknown };
        const isGood =
          typeof told.exp === 'number' && told.exp > NOW && typeof told.nbf === 'number' && told.nbf <= NOW;
        expect(outcome).toBe(isGood ? 'good' : 'refused');
      }),
      { numRuns: 200 },
    );
  });

  test('gives its claims as JSON has them, whatever they are, and changes no prototype', async () => {
    const claims = fc.dictionary(fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('__proto__', 'constructor', 'toString')), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(claims, async (some) => {
        const own = Object.entries(some).filter(
          ([name]) => !['exp', 'nbf', 'iat', 'type', 'aud', 'iss'].includes(name),
        );
        const text = `{${own.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`).join('')}"exp":${NOW + 60}}`;
        const token = signed(HEADER, text);
        const read = await verifier().verify(token);
        expect((await knowing(0)).atOnce(token)).toEqual(read);
        expect(read).not.toBeInstanceOf(Invalid);
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
        for (const [name, value] of own)
          if (name !== '__proto__') expect(Object.getOwnPropertyDescriptor(read, name)?.value).toEqual(JSON.parse(JSON.stringify(value))); // prettier-ignore
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});
