/**
 * Decorators for classes that the container makes: `@injectable()` on the class, `@inject(Token)` on each constructor
 * parameter. Tokens are named explicitly; types are not read at run time.
 */
export { inject, injectable } from 'inversify';
