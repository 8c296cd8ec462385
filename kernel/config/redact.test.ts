import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import { redact, redactText } from './redact.js';

describe('redact', () => {
  test('hides what the schema marks, what sounds secret, and passwords in URLs', () => {
    const schema = Type.Object({
      pin: Type.Number({ secret: true }),
      nested: Type.Object({ key: Type.String({ secret: true }) }),
    });
    const value = {
      pin: 1234,
      nested: { key: 'k', open: 'o' },
      apiKey: 'a',
      ingestToken: '',
      urls: ['postgres://u:p@h/d', 'http://h/'],
    };
    expect(redact(value, schema)).toEqual({
      pin: '[REDACTED]',
      nested: { key: '[REDACTED]', open: 'o' },
      apiKey: '[REDACTED]',
      ingestToken: '[REDACTED]',
      urls: ['postgres://u:[REDACTED]@h/d', 'http://h/'],
    });
  });

  test('keeps what is not secret, and tells callbacks and objects of a class apart', () => {
    const value = {
      ...{
        maxTokens: 5,
        enabled: false,
        none: null,
        onError: () => {},
        secretEnv: 'JWT_SECRET',
        tokenHeader: 'X-Token',
      },
      ...{ passes: 'all', keyboard: 'de', title: 'Token economy: an overview', at: new URL('http://u:p@h/') },
    };
    expect(redact(value)).toEqual({ ...value, onError: '[function]', at: '[URL]' });
  });

  test('ends with an object that holds itself through an object of a class', () => {
    const pool: { options?: object } = new (class Pool {})();
    pool.options = { pool };
    expect(redact({ pool })).toEqual({ pool: '[Pool]' });
  });
});

// Markers that stand for a secret, in every place that one was seen in.
const marker = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/).map((text) => `S3${text}`);
const secretName = fc.constantFrom(
  ...[
    'password',
    'dbPassword',
    'PGPASSWORD',
    'passwd',
    'passphrase',
    'accessSecret',
    'client_secret',
    'SECRET',
    'apiKey',
  ],
  ...['api-key', 'API_KEY', 'privateKey', 'accessKey', 'signingKey', 'ingestToken', 'X-Fleet-Token', 'credentials'],
  ...['Authorization', 'cookie', 'sessionCookie', 'connectionString', 'accountKey', 'db-pwd', 'DSN'],
);
const plainName = fc.constantFrom('a', 'title', 'items', 'options', 'list');

describe('a secret', () => {
  test('is in nothing that is shown, wherever it stands in the options', () => {
    const holders = (secret: string) =>
      fc.oneof(
        secretName.map((name) => ({ [name]: secret })),
        secretName.map((name) => ({ [name]: [secret, { value: secret }] })),
        secretName.map((name) => ({ [name]: { user: { deep: secret } } })),
        fc
          .constantFrom('postgres', 'mysql', 'redis', 'https', 'amqp+ssl')
          .map((scheme) => ({ at: `${scheme}://user:${secret}@host:1/db` })),
        fc
          .constantFrom('', 'p@', 'a:b', 'x/y', '#', '?')
          .map((odd) => ({ at: `postgres://u:${odd}${secret}@host/db` })),
        fc.constant({ at: `redis://:${secret}@host` }),
        secretName.map((name) => ({ text: `Server=h;${name}=${secret};Encrypt=true` })),
        secretName.map((name) => ({ at: `https://h/p?a=1&${name}=${secret}` })),
        secretName.map((name) => ({ at: `https://h/p?${name}=${secret}` })),
        secretName.map((name) => ({ text: `Server=h;${name}="a\\"${secret}";Encrypt=true` })),
        secretName.map((name) => ({ text: `${name}="cut off ${secret}` })),
        secretName.map((name) => ({ text: `${name}=a)}]${secret};` })),
        fc.constantFrom('Bearer', 'basic').map((scheme) => ({ header: `${scheme} ${secret}` })),
        fc.constant({ pem: `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----` }),
        fc.constant({ jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${secret}` }),
      );
    fc.assert(
      fc.property(
        marker.chain((secret) => fc.tuple(fc.constant(secret), holders(secret), fc.array(plainName, { maxLength: 4 }))),
        ([secret, holder, path]) => {
          const options = path.reduce<unknown>((inner, name) => ({ [name]: [inner] }), holder);
          expect(JSON.stringify(redact(options))).not.toContain(secret);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('is in no line of source that is shown', () => {
    fc.assert(
      fc.property(marker, secretName, fc.constantFrom("'", '"', '`'), fc.boolean(), (secret, name, quote, isQuoted) => {
        const key = isQuoted || /\W/.test(name) ? `'${name}'` : name;
        expect(redactText(`  ${key}: ${quote}${secret} with words${quote}, title: 'x'`)).not.toContain(secret);
        expect(redactText(`const ${name.replace(/\W/g, '_')} = ${quote}${secret}${quote};`)).not.toContain(secret);
      }),
    );
  });

  test('is not seen in ordinary text and code', () => {
    for (const text of [
      'accessSecret: process.env.JWT_SECRET',
      'token: string',
      'http://127.0.0.1:3000/a@b',
      'the token is wrong',
      'tokenCacheSize: 100',
      'x.password is required',
      'function sign(token: string): string {',
    ])
      expect(redactText(text)).toBe(text);
  });
});

test('a password that is a number is one', () => {
  expect(redactText('Server=h;Password=123456;Encrypt=true')).toBe('Server=h;Password=[REDACTED];Encrypt=true');
});

test.each(['a', 'a-', 'eyJ-', 'a.eyJ', 'a://x:', 'a://x:@', 'a=', 'token=" ', "a='", 'Bearer ', '-----BEGIN '])(
  'a long text of %j is looked through at once',
  (part) => {
    const text = part.repeat(1_000_000 / part.length);
    expect(redactText(`${text}\nend`)).toMatch(/\nend$/);
  },
);
