export { inject, injectable, multiInject, optional } from './decorators.js';
export {
  ServiceContainer,
  type Resolver,
  type ServiceClass,
  type ServiceFactory,
  type ServiceScope,
} from './service-container.js';
export { token, tokenName, type Token } from './token.js';
