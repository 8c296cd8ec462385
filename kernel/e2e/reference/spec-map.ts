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
}

type Row = readonly [spec: string, name: string, kind?: 'type'];

const part = (from: string, rows: readonly Row[]): readonly SpecEntry[] =>
  rows.map(([spec, name, kind]) => ({ spec, from, name, kind: kind ?? 'value' }));

/** Every identifier that the SPEC gives its library, part by part. */
export const SPEC_MAP: readonly SpecEntry[] = [
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
]; // prettier-ignore

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
      ({ spec, name, from, kind }) => `| \`${spec}\` | \`${name}\` | \`${from}\` | ${kind === 'type' ? 'type' : ''} |`,
    ),
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
