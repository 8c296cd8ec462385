export { inject, injectable } from './decorators.js';
export { ServiceContainer, type Resolver, type ServiceClass, type ServiceFactory } from './service-container.js';
export { token, tokenName, type Token } from './token.js';
