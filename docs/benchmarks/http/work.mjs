// What every subject has to do, in one place: the answers, the token, the locales and the headers.

export const SECRET = 'a secret of more than thirty-two bytes';
export const ROLE = 'member';
export const LOCALES = ['en', 'de', 'fr', 'ja', 'pt-BR'];
export const ORIGIN = 'https://app.example.com';
/** Nobody reaches it; the counting is the work. */
export const LIMIT = { requests: 1_000_000_000, windowMs: 60_000 };

/** Values of the twelve security headers. */
export const SECURITY = {
  'Content-Security-Policy': "default-src 'self'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
  'Permissions-Policy': 'geolocation=(), microphone=(), camera=()',
  'X-XSS-Protection': '0',
  'Expect-CT': 'max-age=86400, enforce',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store, no-cache, must-revalidate',
};

/** helmet's spelling of those that it knows; the others are set beside it. */
export const HELMET = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'self'"] } },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true, preload: true },
  crossOriginEmbedderPolicy: { policy: 'require-corp' },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
};
export const BESIDE_HELMET = {
  'Permissions-Policy': SECURITY['Permissions-Policy'],
  'Expect-CT': SECURITY['Expect-CT'],
  'Cache-Control': SECURITY['Cache-Control'],
};

const ITEMS = Array.from({ length: 59 }, (_, n) => ({
  sku: ((n + 7) * 2_654_435_761).toString(16).padStart(12, '0').slice(0, 12),
  name: `Item ${((n + 3) * 40_503).toString(36)}`,
  quantity: (n * 37) % 90,
  price: ((n * 7919) % 100_000) / 100,
  tags: [['red', 'green', 'blue'][n % 3], ((n + 1) * 977).toString(36)],
  at: new Date(1_767_225_600_000 + n * 86_399_000).toISOString(),
  sold: n % 2 === 0,
}));

/** The answer for one user. @param {string} id */
const small = (id) => ({
  id,
  name: `User ${id}`,
  email: `user${id}@example.com`,
  role: ROLE,
  active: true,
  since: '2026-01-01',
});

/** An answer of about 8 KiB. @param {string} id */
const large = (id) => ({ id, total: ITEMS.length, items: ITEMS });

/**
 * What a scenario asks of a subject.
 *
 * @type {Readonly<Record<string, { readonly chain: boolean, readonly threshold: number, readonly answer: (id: string) => object }>>}
 */
export const SCENARIOS = {
  bare: { chain: false, threshold: 1024, answer: small },
  small: { chain: true, threshold: 1024, answer: small },
  compressed: { chain: true, threshold: 0, answer: small },
  large: { chain: true, threshold: 1024, answer: large },
};
