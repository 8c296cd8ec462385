// Written by `npm run docs` from spec-map.ts; checked by tsc: each type of the specification is exported.
export type { InProcessConfig } from 'fw/mcp';
export type { RateLimiterOptions } from 'fw/middleware/rate-limit';
export type { CORSOptions } from 'fw/middleware/cors';
export type { SecurityOptions } from 'fw/middleware/security-headers';
export type { JWTOptions } from 'fw/middleware/jwt';
export type { TracerConfig } from 'fw/fleet';
export type { DocsUIOptions } from 'fw/docs';
export type { RouteDoc } from 'fw/docs';
export type { InputGroup } from 'fw/docs';
export type { LLMSDoc } from 'fw/docs';
export type { Predicate } from 'fw/orm';
export type { OrderTerm } from 'fw/orm';
export type { SelectExpr } from 'fw/orm';
export type { RetryPolicy } from 'fw/orm';
export type { Migration } from 'fw/orm/migrations';
