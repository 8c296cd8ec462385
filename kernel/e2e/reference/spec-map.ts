/** Where an identifier of the SPEC is found in TypeScript. */
export interface SpecEntry {
  /** Spelling in the SPEC. */
  readonly spec: string;
  /** Package subpath that exports it. */
  readonly from: string;
  /** Exported name; `Query.where` is the member of an exported class or object. */
  readonly name: string;
  /** A type exists at compile time only; tsc checks it in spec-map.types.test.ts. */
  readonly kind: 'value' | 'type';
  /** How it differs from the specification, and why. */
  readonly note?: string;
}

type Row = readonly [spec: string, name: string, kind?: 'type'];

const part = (from: string, rows: readonly Row[]): readonly SpecEntry[] =>
  rows.map(([spec, name, kind]) => ({ spec, from, name, kind: kind ?? 'value' }));

const RAW = 'no data from outside can hold one, such as a JSON body: raw SQL is written in code';

/** Exports that differ from the specification on purpose. */
const NOTES: ReadonlyMap<string, string> = new Map([
  ['OpRaw', `a symbol, \`Symbol.for('fw.orm.raw')\`: ${RAW}`],
  ['SelectExpr', `made by \`selectExpr(sql, alias?)\`; its field is the symbol \`Expr\`: ${RAW}`],
  [
    'GenerateRefreshToken',
    'also has the store of the middleware remember the token; one that no store knows is refused',
  ],
]);

/** Every identifier that the SPEC gives its library, part by part. */
export const SPEC_MAP: readonly SpecEntry[] = withNotes([
  ...part('fw/mcp', [
    ['ModeAppRuntime', 'ModeAppRuntime'],
    ['ModeGenerator', 'ModeGenerator'],
    ['NewScope', 'newScope'],
    ['CapFleet', 'CapFleet'],
    ['CapGeneration', 'CapGeneration'],
    ['CapIntrospection', 'CapIntrospection'],
    ['CapKnowledge', 'CapKnowledge'],
    ['CapPlanning', 'CapPlanning'],
    ['CapProvisioning', 'CapProvisioning'],
    ['CapRuntime', 'CapRuntime'],
    ['CapVerification', 'CapVerification'],
    ['InProcessConfig', 'InProcessConfig', 'type'],
    ['StartInProcess', 'startInProcess'],
  ]),
  ...part('fw/middleware/recovery', [['RecoveryMiddleware', 'recoveryMiddleware']]),
  ...part('fw/middleware/logging', [['LoggingMiddleware', 'loggingMiddleware']]),
  ...part('fw/middleware/rate-limit', [
    ['NewRateLimiter', 'newRateLimiter'],
    ['RateLimiterOptions', 'RateLimiterOptions', 'type'],
  ]),
  ...part('fw/middleware/locale', [
    ['LocaleMiddleware', 'localeMiddleware'],
    ['I18n', 'I18n'],
  ]),
  ...part('fw/middleware/cors', [
    ['CORSMiddleware', 'corsMiddleware'],
    ['CORSOptions', 'CORSOptions', 'type'],
  ]),
  ...part('fw/middleware/security-headers', [
    ['SecurityMiddleware', 'securityMiddleware'],
    ['DefaultSecurityMiddleware', 'defaultSecurityMiddleware'],
    ['SecurityOptions', 'SecurityOptions', 'type'],
    ['WithContentSecurityPolicy', 'withContentSecurityPolicy'],
  ]),
  ...part('fw/middleware/jwt', [
    ['JWTAuthMiddleware', 'jwtAuthMiddleware'],
    ['JWTOptions', 'JWTOptions', 'type'],
    ['GenerateJWT', 'generateJWT'],
    ['GenerateRefreshToken', 'generateRefreshToken'],
  ]),
  ...part('fw/middleware/etag', [
    ['NewETagCache', 'newETagCache'],
    ['ETagMiddleware', 'eTagMiddleware'],
  ]),
  ...part('fw/middleware/compression', [['CompressionMiddleware', 'compressionMiddleware']]),
  ...part('fw', [['EnableCounters', 'enableCounters']]),
  ...part('fw/fleet', [
    ['TracerConfig', 'TracerConfig', 'type'],
    ['New', 'newTracer'],
    ['Middleware', 'middleware'],
    ['PropagateFromHTTP', 'propagateFromHTTP'],
    ['Tag', 'tag'],
  ]),
  ...part('fw/docs', [
    ['Doc', 'doc'],
    ['DocGET', 'docGET'],
    ['DocPOST', 'docPOST'],
    ['DocPUT', 'docPUT'],
    ['DocPATCH', 'docPATCH'],
    ['DocDELETE', 'docDELETE'],
    ['Tag', 'tag'],
    ['LLMSFromRegistry', 'llmsFromRegistry'],
    ['Routes', 'routes'],
    ['Generate', 'generate'],
    ['ReadStamp', 'readStamp'],
    ['BodyDigest', 'bodyDigest'],
    ['DocsUIMiddleware', 'docsUIMiddleware'],
    ['DocsUIOptions', 'DocsUIOptions', 'type'],
    ['RouteDoc', 'RouteDoc', 'type'],
    ['InputGroup', 'InputGroup', 'type'],
    ['LLMSDoc', 'LLMSDoc', 'type'],
    ['InputBody', 'InputBody'],
    ['InputQuery', 'InputQuery'],
    ['InputParams', 'InputParams'],
    ['InputHeader', 'InputHeader'],
  ]),
  ...part('fw/orm', [
    ['Predicate', 'Predicate', 'type'],
    ['OrderTerm', 'OrderTerm', 'type'],
    ['SelectExpr', 'SelectExpr', 'type'],
    ['Assignment', 'Assignment'],
    ...['Eq', 'Neq', 'Lt', 'Lte', 'Gt', 'Gte', 'Like', 'ILike', 'In', 'NotIn', 'IsNull', 'IsNotNull', 'Between', 'Raw'].map(
      (operator): Row => [`Op${operator}`, `Op${operator}`],
    ),
    ['And', 'and'],
    ['Or', 'or'],
    ['Not', 'not'],
    ['Raw', 'raw'],
    ['WithCompiledQueryCacheSize', 'withCompiledQueryCacheSize'],
    ['WithScanPlanCacheSize', 'withScanPlanCacheSize'],
    ['WithPlugins', 'withPlugins'],
    ['WithOptimizerPasses', 'withOptimizerPasses'],
    ['WithExecutorOptions', 'withExecutorOptions'],
    ['WithStmtCacheSize', 'withStmtCacheSize'],
    ['WithDefaultTimeout', 'withDefaultTimeout'],
    ['WithPreloadWhere', 'withPreloadWhere'],
    ['WithPreloadLimit', 'withPreloadLimit'],
    ['WithBatchPreload', 'withBatchPreload'],
    ['Validate', 'validateRow'],
    ['RegisterCustom', 'registerCustom'],
    ['ValidationError', 'ValidationError'],
    ['RetryPolicy', 'RetryPolicy', 'type'],
    ['NoopPlugin', 'NoopPlugin'],
    ['SoftDelete', 'softDelete'],
    ['LockForUpdate', 'LockForUpdate'],
    ['Open', 'open'],
    ['Model', 'model'],
    ['transaction.Run', 'transaction.run'],
    ...[
      'Where', 'OrderBy', 'Limit', 'Offset', 'Page', 'After', 'Select', 'Distinct', 'Lock', 'InnerJoin', 'LeftJoin', 'RightJoin',
      'FullJoin', 'CrossJoin', 'Preload', 'Find', 'First', 'Count', 'Exists', 'Create', 'CreateBatch', 'UpdateAll', 'Delete',
    ].map((method): Row => [method, `Query.${method.charAt(0).toLowerCase()}${method.slice(1)}`]),
  ]),
  ...part('fw/orm/migrations', [
    ['Migration', 'Migration', 'type'],
    ['migrations.New', 'migrations.new'],
  ]),
]); // prettier-ignore

function withNotes(entries: readonly SpecEntry[]): readonly SpecEntry[] {
  return entries.map((entry) => {
    const note = NOTES.get(entry.spec);
    return note === undefined ? entry : { ...entry, note };
  });
}

/** A rule of ours that is stricter than a sentence of the SPEC. */
interface Hardening {
  /** The sentence, and its section. */
  readonly spec: string;
  readonly rule: string;
  /** The option that restores the behaviour of the sentence. */
  readonly undo: string;
}

/** Where the product is stricter than the SPEC says. */
const HARDENINGS: readonly Hardening[] = [
  {
    spec: 'Basic Auth of the Fleet read APIs and of the dashboard is enforced only when both are non-empty (Authentication, 6)',
    rule: 'Without credentials these doors, and ingestion without `ingestToken`, are open to this machine in development; with profile prod, on a listener beyond loopback, or with trusted proxies they are closed',
    undo: "`openDoors: 'everyone'` of `fw/http`",
  },
];

/** The page that maps the SPEC's identifiers to exports. */
export function specMapPage(entries: readonly SpecEntry[]): string {
  return [
    '# From the names of the specification to TypeScript',
    '',
    'Generated by `npm run docs`; do not edit. Functions and option fields have their leading capitals lowered; types and constants',
    'keep the spelling of the specification.',
    '',
    '| Specification | Export | From | |',
    '|---|---|---|---|',
    ...entries.map(
      ({ spec, name, from, kind, note }) =>
        `| \`${spec}\` | \`${name}\` | \`${from}\` | ${[kind === 'type' ? 'type' : '', note].filter(Boolean).join('; ')} |`,
    ),
    '',
    '## Stricter than the specification',
    '',
    '| Specification | Rule | Undone by |',
    '|---|---|---|',
    ...HARDENINGS.map(({ spec, rule, undo }) => `| ${spec} | ${rule} | ${undo} |`),
    '',
  ].join('\n');
}

/** A module that imports every type, so that tsc shows that each exists. */
export function specTypesModule(entries: readonly SpecEntry[]): string {
  const types = entries.filter(({ kind }) => kind === 'type');
  return [
    '// Written by `npm run docs` from spec-map.ts; checked by tsc: each type of the specification is exported.',
    ...types.map(({ name, from }) => `export type { ${name} } from '${from}';`),
    '',
  ].join('\n');
}
