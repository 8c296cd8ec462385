export {
  currentRequestContext,
  enableRequestContext,
  requestContextEnabled,
  runInRequestContext,
  type RequestContext,
} from './request-context.js';
