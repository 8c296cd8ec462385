/**
 * Decorators for classes that the container makes: `@injectable()` on the class, `@inject(Token)` on each constructor
 * parameter: `@multiInject(Token)` for every contribution, `@optional()` beside one that may be missing. Tokens are named
 * explicitly; types are not read at run time.
 */
export { inject, injectable, multiInject, optional } from 'inversify';
