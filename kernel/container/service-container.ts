import 'reflect-metadata';
import { type BindingIdentifier, type BindInWhenOnFluentSyntax, Container } from 'inversify';
import { isThenable } from '../contracts/thenable.js';
import { type FwError, fwError, isFwError, messageOf } from '../errors/index.js';
import { CONTAINER_ERRORS } from './errors.js';
import { classError, resolutionError } from './inversify-errors.js';
import { type Token, tokenName } from './token.js';

/** Finds services while others are being made. */
export interface Resolver {
  /**
   * The service behind a token.
   * @throws FwError `FW_CONTAINER_UNBOUND` when nothing provides it, `FW_CONTAINER_CIRCLE` when making it needs itself
   */
  get<Service>(token: Token<Service>): Service;
  /** The service behind a token, or undefined when nothing provides it. */
  getOptional<Service>(token: Token<Service>): Service | undefined;
  /** Every contribution to a token, in the order in which plugins made them; empty when there is none. */
  all<Service>(token: Token<Service>): readonly Service[];
}

/** Makes a service on first use. */
export type ServiceFactory<Service> = (resolve: Resolver) => Service;

/** A class that the container can make. */
export type ServiceClass<Service> = new (...dependencies: never[]) => Service;

/** Whether all callers share one service, or each resolution makes a new one. */
export type ServiceScope = 'singleton' | 'transient';

interface Binding {
  readonly token: Token<unknown>;
  readonly owner: string;
  readonly id: BindingIdentifier;
}

/**
 * The only place that touches Inversify. Services are resolved at boot; {@link resolutions} lets a test show that no request
 * resolves anything.
 */
export class ServiceContainer implements Resolver {
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #providers = new Map<Token<unknown>, Binding>();
  readonly #contributors = new Map<Token<unknown>, Binding[]>();
  readonly #classes: { readonly token: Token<unknown>; readonly owner: string }[] = [];
  // Services that withdrawn plugins had made: their `stop` still needs them.
  readonly #made = new Map<Token<unknown>, { readonly owner: string; readonly service: unknown }>();
  // Tokens that are being resolved, outermost first. Inversify detects circles of classes only: a circle of factories, which resolve while
  // they run, would overflow the stack.
  readonly #path: Token<unknown>[] = [];
  /** Its members are functions that do not need `this`, so that factories can be written `({ get }) => ...`. */
  readonly #resolver: Resolver = {
    get: (token) => this.get(token),
    getOptional: (token) => this.getOptional(token),
    all: (token) => this.all(token),
  };
  #resolutions = 0;

  /** How many times something was asked for since the container was made. */
  get resolutions(): number {
    return this.#resolutions;
  }

  /**
   * Binds a token to a factory.
   * @param owner - plugin id, for error messages
   * @throws FwError `FW_CONTAINER_BOUND_TWICE` when another plugin provides the token already or contributes to it
   */
  bind<Service>(
    token: Token<Service>,
    owner: string,
    make: ServiceFactory<Service>,
    scope: ServiceScope = 'singleton',
  ): void {
    this.#refuseSecond(token, owner);
    this.#provide(
      token,
      owner,
      scope,
      this.#factory(token, owner, () => make(this.#resolver)),
    );
  }

  /**
   * Binds a token to a class whose constructor parameters carry `@inject(Token)`.
   * @throws FwError `FW_CONTAINER_CLASS` when a parameter carries none
   */
  bindClass<Service>(
    token: Token<Service>,
    owner: string,
    implementation: ServiceClass<Service>,
    scope: ServiceScope = 'singleton',
  ): void {
    this.#refuseSecond(token, owner);
    const made = implementation as new (...dependencies: unknown[]) => Service;
    const binding = translated(
      () => this.#container.bind<Service>(token).to(made),
      (error) => classError(error, { token: tokenName(token), owner, name: implementation.name }),
    );
    this.#provide(token, owner, scope, binding);
    if (scope === 'singleton') this.#classes.push({ token, owner });
  }

  /**
   * Adds one of many implementations; see {@link Resolver.all}.
   * @throws FwError `FW_CONTAINER_BOUND_TWICE` when a plugin provides the token alone
   */
  contribute<Service>(token: Token<Service>, owner: string, make: ServiceFactory<Service>): void {
    const provider = this.#providers.get(token);
    if (provider) throw boundTwice(token, provider.owner, owner);
    const made = () => this.#contribution(token, owner, make);
    const id = this.#factory(token, owner, made).inSingletonScope().getIdentifier();
    const list = this.#contributors.get(token) ?? [];
    this.#contributors.set(token, [...list, { token, owner, id }]);
  }

  /** Tokens that a plugin contributes to, one for each contribution. */
  contributionsOf(owner: string): readonly Token<unknown>[] {
    return [...this.#contributors.values()].flat().flatMap((each) => (each.owner === owner ? [each.token] : []));
  }

  /** Plugin that provides a token. */
  ownerOf(token: Token<unknown>): string | undefined {
    return this.#providers.get(token)?.owner;
  }

  get<Service>(token: Token<Service>): Service {
    const service = this.getOptional(token);
    if (service !== undefined) return service;
    throw fwError(CONTAINER_ERRORS.FW_CONTAINER_UNBOUND, { token: tokenName(token) });
  }

  getOptional<Service>(token: Token<Service>): Service | undefined {
    this.#resolutions++;
    if (!this.#providers.has(token)) return undefined;
    return this.#resolve(token, () => this.#container.get<Service>(token));
  }

  all<Service>(token: Token<Service>): readonly Service[] {
    this.#resolutions++;
    return this.#resolve(token, () => this.#container.getAll<Service>(token, { optional: true }));
  }

  /** Like {@link all}, with the plugin that made each contribution. */
  allWithOwners<Service>(token: Token<Service>): readonly { readonly owner: string; readonly value: Service }[] {
    const owners = this.#contributors.get(token) ?? [];
    return this.all(token).map((value, index) => ({ owner: owners[index]?.owner ?? '', value }));
  }

  /**
   * Makes the services that a plugin bound by class, so that a constructor parameter that no plugin provides ends the boot and not a
   * request.
   * @throws FwError `FW_CONTAINER_NEED_UNBOUND`, `FW_CONTAINER_CIRCLE`
   */
  makeClassesOf(owner: string): void {
    for (const each of this.#classes) {
      if (each.owner === owner) this.#resolve(each.token, () => this.#container.get(each.token));
    }
  }

  /** The resolver of one plugin: after the plugin was withdrawn, it still finds the services that the plugin had made. */
  resolverFor(owner: string): Resolver {
    const own = <Service>(token: Token<Service>): Service | undefined => {
      const made = this.#made.get(token);
      return made?.owner === owner ? (made.service as Service) : undefined;
    };
    const getOptional = <Service>(token: Token<Service>): Service | undefined => this.getOptional(token) ?? own(token);
    return {
      getOptional,
      get: <Service>(token: Token<Service>) => getOptional(token) ?? this.get(token),
      all: (token) => this.all(token),
    };
  }

  /** Forgets what a plugin bound and contributed, when it degraded before it was ready. */
  withdraw(owner: string): void {
    for (const [token, provider] of this.#providers) {
      if (provider.owner !== owner) continue;
      this.#container.unbind(provider.id);
      this.#providers.delete(token);
    }
    for (const [token, list] of this.#contributors) {
      for (const { id } of list.filter((each) => each.owner === owner)) this.#container.unbind(id);
      this.#contributors.set(
        token,
        list.filter((each) => each.owner !== owner),
      );
    }
  }

  #refuseSecond(token: Token<unknown>, owner: string): void {
    const first = this.#providers.get(token) ?? this.#contributors.get(token)?.[0];
    if (first) throw boundTwice(token, first.owner, owner);
  }

  #provide<Service>(
    token: Token<Service>,
    owner: string,
    scope: ServiceScope,
    binding: BindInWhenOnFluentSyntax<Service>,
  ): void {
    const scoped = scope === 'transient' ? binding.inTransientScope() : binding.inSingletonScope();
    if (scope === 'singleton') {
      scoped.onActivation((_context, service) => {
        this.#made.set(token, { owner, service });
        return service;
      });
    }
    this.#providers.set(token, { token, owner, id: scoped.getIdentifier() });
  }

  #factory<Service>(token: Token<Service>, owner: string, make: () => Service): BindInWhenOnFluentSyntax<Service> {
    return this.#container.bind<Service>(token).toDynamicValue(() => {
      // A class dependency is resolved by Inversify without {@link get}, so its token is not on the path yet.
      const service = this.#path.at(-1) === token ? make() : this.#within(token, make);
      if (isThenable(service)) throw fwError(CONTAINER_ERRORS.FW_CONTAINER_PROMISE, { token: tokenName(token), owner });
      return service;
    });
  }

  // The error of a contribution names its owner, because it makes the whole list fail.
  #contribution<Service>(token: Token<Service>, owner: string, make: ServiceFactory<Service>): Service {
    return translated(
      () => make(this.#resolver),
      (cause) => {
        if (isFwError(cause) && cause.code === CONTAINER_ERRORS.FW_CONTAINER_CIRCLE.code) return cause;
        const reason = messageOf(cause);
        const details = { token: tokenName(token), owner, reason };
        return fwError(CONTAINER_ERRORS.FW_CONTAINER_CONTRIBUTION_FAILED, details, { cause });
      },
    );
  }

  #resolve<Result>(token: Token<unknown>, run: () => Result): Result {
    return this.#within(token, () => translated(run, resolutionError));
  }

  #within<Result>(token: Token<unknown>, run: () => Result): Result {
    const first = this.#path.indexOf(token);
    if (first >= 0) {
      const circle = [...this.#path.slice(first), token].map(tokenName).join(' -> ');
      throw fwError(CONTAINER_ERRORS.FW_CONTAINER_CIRCLE, { circle });
    }
    this.#path.push(token);
    try {
      return run();
    } finally {
      this.#path.pop();
    }
  }
}

function boundTwice(token: Token<unknown>, first: string, second: string): FwError {
  return fwError(CONTAINER_ERRORS.FW_CONTAINER_BOUND_TWICE, { token: tokenName(token), first, second });
}

function translated<Result>(run: () => Result, translate: (error: unknown) => unknown): Result {
  try {
    return run();
  } catch (error) {
    throw translate(error);
  }
}
