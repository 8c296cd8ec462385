import { Type } from 'typebox';
import { definePlugin, HttpMiddleware, withDefault } from '../../../kernel/index.js';
import { SECURITY_HEADERS, STRICT, type SecurityOptions } from './headers.js';
import { securityMiddleware } from './security.js';

export { SECURITY_HEADERS, type SecurityOptions } from './headers.js';
export { cspNonce, defaultSecurityMiddleware, securityMiddleware, type SecurityMiddleware } from './security.js';
export {
  withCacheControl,
  withContentSecurityPolicy,
  withCrossOriginEmbedderPolicy,
  withCrossOriginOpenerPolicy,
  withCrossOriginResourcePolicy,
  withExpectCT,
  withPermissionsPolicy,
  withReferrerPolicy,
  withStrictTransportSecurity,
  withXContentTypeOptions,
  withXFrameOptions,
  withXXSSProtection,
  type SecuritySetter,
} from './setters.js';

const value = (field: keyof SecurityOptions) => {
  const [, header] = SECURITY_HEADERS.find(([each]) => each === field) ?? [field, field];
  const nonce = field === 'contentSecurityPolicy' ? "; write 'nonce-{nonce}' for a nonce per request" : '';
  return withDefault(Type.String({ description: `Value of ${header}; empty switches it off${nonce}` }), STRICT[field]);
};

export default definePlugin({
  id: 'middleware/security-headers',
  category: 'middleware',
  description: 'Twelve security headers, strict by default',
  options: Type.Object({
    contentSecurityPolicy: value('contentSecurityPolicy'),
    xFrameOptions: value('xFrameOptions'),
    xContentTypeOptions: value('xContentTypeOptions'),
    referrerPolicy: value('referrerPolicy'),
    strictTransportSecurity: value('strictTransportSecurity'),
    permissionsPolicy: value('permissionsPolicy'),
    xXSSProtection: value('xXSSProtection'),
    expectCT: value('expectCT'),
    crossOriginEmbedderPolicy: value('crossOriginEmbedderPolicy'),
    crossOriginOpenerPolicy: value('crossOriginOpenerPolicy'),
    crossOriginResourcePolicy: value('crossOriginResourcePolicy'),
    cacheControl: value('cacheControl'),
  }),
  needs: ['http'],
  order: {
    after: ['middleware/cors'],
    before: ['middleware/jwt', 'middleware/etag', 'middleware/compression'],
    because: 'CORS must not overwrite its headers, and a refusal of auth must carry them too',
  },
  register({ options, contribute, probe }) {
    const handle = securityMiddleware(options);
    contribute(HttpMiddleware, () => ({
      name: 'security-headers',
      handle,
      onPreflight: handle.apply,
      seesRefused: true,
    }));
    probe('security', handle.probe);
  },
});
