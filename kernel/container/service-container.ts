import 'reflect-metadata';
import { Container } from 'inversify';
import { fwError } from '../errors/index.js';
import { CONTAINER_ERRORS } from './errors.js';
import { type Token, tokenName } from './token.js';

/** Finds services while others are being made. */
export interface Resolver {
  /**
   * The service behind a token.
   * @throws FwError `FW_CONTAINER_UNBOUND` when nothing provides it
   */
  get<Service>(token: Token<Service>): Service;
  /** The service behind a token, or undefined when nothing provides it. */
  getOptional<Service>(token: Token<Service>): Service | undefined;
  /** Every contribution to a token, in the order in which plugins made them; empty when there is none. */
  all<Service>(token: Token<Service>): readonly Service[];
}

/** Makes a service on first use; the same one is handed out from then on. */
export type ServiceFactory<Service> = (resolve: Resolver) => Service;

/** A class that the container can make. */
export type ServiceClass<Service> = new (...dependencies: never[]) => Service;

interface Contribution {
  readonly owner: string;
  readonly make: ServiceFactory<unknown>;
  made?: { readonly value: unknown };
}

/**
 * The only place that touches Inversify. Everything is a singleton, resolved at boot; {@link resolutions} lets a test show
 * that no request resolves anything.
 */
export class ServiceContainer implements Resolver {
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #owners = new Map<Token<unknown>, string>();
  readonly #contributions = new Map<Token<unknown>, Contribution[]>();
  #resolutions = 0;

  /** How many times something was asked for since the container was made. */
  get resolutions(): number {
    return this.#resolutions;
  }

  /**
   * Binds a token to a factory.
   * @param owner - plugin id, for error messages
   * @throws FwError `FW_CONTAINER_BOUND_TWICE` when another plugin provides the token already
   */
  bind<Service>(token: Token<Service>, owner: string, make: ServiceFactory<Service>): void {
    this.#claim(token, owner);
    this.#container
      .bind<Service>(token)
      .toDynamicValue(() => make(this))
      .inSingletonScope();
  }

  /** Binds a token to a class whose constructor parameters carry `@inject(Token)`. */
  bindClass<Service>(token: Token<Service>, owner: string, implementation: ServiceClass<Service>): void {
    this.#claim(token, owner);
    this.#container
      .bind<Service>(token)
      .to(implementation as new (...dependencies: unknown[]) => Service)
      .inSingletonScope();
  }

  /** Adds one of many implementations; see {@link Resolver.all}. */
  contribute<Service>(token: Token<Service>, owner: string, make: ServiceFactory<Service>): void {
    const list = this.#contributions.get(token) ?? [];
    list.push({ owner, make });
    this.#contributions.set(token, list);
  }

  /** Plugin that provides a token. */
  ownerOf(token: Token<unknown>): string | undefined {
    return this.#owners.get(token);
  }

  get<Service>(token: Token<Service>): Service {
    const service = this.getOptional(token);
    if (service !== undefined) return service;
    throw fwError(CONTAINER_ERRORS.FW_CONTAINER_UNBOUND, { token: tokenName(token) });
  }

  getOptional<Service>(token: Token<Service>): Service | undefined {
    this.#resolutions++;
    return this.#container.isBound(token) ? this.#container.get<Service>(token) : undefined;
  }

  all<Service>(token: Token<Service>): readonly Service[] {
    this.#resolutions++;
    return (this.#contributions.get(token) ?? []).map((each) => this.#made(token, each) as Service);
  }

  /** Like {@link all}, with the plugin that made each contribution. */
  allWithOwners<Service>(token: Token<Service>): readonly { readonly owner: string; readonly value: Service }[] {
    this.#resolutions++;
    return (this.#contributions.get(token) ?? []).map((each) => ({
      owner: each.owner,
      value: this.#made(token, each) as Service,
    }));
  }

  /** Forgets what a plugin contributed, when it degraded before it was ready. */
  withdraw(owner: string): void {
    for (const [token, list] of this.#contributions) {
      this.#contributions.set(
        token,
        list.filter((each) => each.owner !== owner),
      );
    }
  }

  #claim(token: Token<unknown>, owner: string): void {
    const first = this.#owners.get(token);
    if (first !== undefined) {
      throw fwError(CONTAINER_ERRORS.FW_CONTAINER_BOUND_TWICE, { token: tokenName(token), first, second: owner });
    }
    this.#owners.set(token, owner);
  }

  // One contribution that cannot be made must name its owner, or the whole list would fail without a culprit.
  #made(token: Token<unknown>, contribution: Contribution): unknown {
    if (contribution.made) return contribution.made.value;
    try {
      contribution.made = { value: contribution.make(this) };
      return contribution.made.value;
    } catch (cause) {
      throw fwError(
        CONTAINER_ERRORS.FW_CONTAINER_CONTRIBUTION_FAILED,
        {
          token: tokenName(token),
          owner: contribution.owner,
          reason: cause instanceof Error ? cause.message : String(cause),
        },
        { cause },
      );
    }
  }
}
