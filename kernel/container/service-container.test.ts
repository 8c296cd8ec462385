import { describe, expect, test } from '@jest/globals';
import { inject, injectable, multiInject, optional } from './decorators.js';
import { ServiceContainer } from './service-container.js';
import { token } from './token.js';

interface Engine {
  readonly power: number;
}
const Engine = token<Engine>('test.Engine');
const Car = token<{ readonly engine: Engine }>('test.Car');

@injectable()
class RedCar {
  constructor(@inject(Engine) readonly engine: Engine) {}
}

const Fleet = token<{ readonly engines: readonly Engine[]; readonly spare: Engine | undefined }>('test.Fleet');
const Spare = token<Engine>('test.Spare');

@injectable()
class Depot {
  constructor(
    @multiInject(Engine) readonly engines: readonly Engine[],
    @inject(Spare) @optional() readonly spare: Engine | undefined,
  ) {}
}

describe('ServiceContainer', () => {
  test('makes a service once, on first use', () => {
    const container = new ServiceContainer();
    let made = 0;
    container.bind(Engine, 'engines', () => ({ power: ++made }));
    expect(made).toBe(0);
    expect(container.get(Engine)).toBe(container.get(Engine));
    expect(made).toBe(1);
  });

  test('makes a class with its injected dependencies', () => {
    const container = new ServiceContainer();
    container.bind(Engine, 'engines', () => ({ power: 90 }));
    container.bindClass(Car, 'cars', RedCar);
    expect(container.get(Car).engine.power).toBe(90);
  });

  test('names both owners of a token that is bound twice', () => {
    const container = new ServiceContainer();
    container.bind(Engine, 'petrol', () => ({ power: 1 }));
    expect(() => container.bind(Engine, 'electric', () => ({ power: 2 }))).toThrow(
      'Both petrol and electric provide test.Engine',
    );
  });

  test('says what is missing, or gives undefined where it may be missing', () => {
    const container = new ServiceContainer();
    expect(() => container.get(Engine)).toThrow('Nothing provides test.Engine');
    expect(container.getOptional(Engine)).toBeUndefined();
  });

  test('keeps contributions in order, makes each once, and forgets those of a withdrawn owner', () => {
    const container = new ServiceContainer();
    container.contribute(Engine, 'a', () => ({ power: 1 }));
    container.contribute(Engine, 'b', () => ({ power: 2 }));
    expect(container.all(Engine).map(({ power }) => power)).toEqual([1, 2]);
    expect(container.all(Engine)[0]).toBe(container.all(Engine)[0]);
    container.withdraw('a');
    expect(container.allWithOwners(Engine)).toEqual([{ owner: 'b', value: { power: 2 } }]);
    expect(container.all(Car)).toEqual([]);
  });

  test('gives factories functions that can be taken out of it', () => {
    const container = new ServiceContainer();
    container.contribute(Engine, 'a', () => ({ power: 1 }));
    container.bind(Spare, 'spares', () => ({ power: 2 }));
    container.bind(Fleet, 'b', ({ get, getOptional, all }) => ({ engines: [...all(Engine), get(Spare)], spare: getOptional(Spare) })); // prettier-ignore
    expect(container.get(Fleet).engines.map(({ power }) => power)).toEqual([1, 2]);
    expect(container.get(Fleet).spare).toEqual({ power: 2 });
  });

  test('names the owner of a contribution that cannot be made', () => {
    const container = new ServiceContainer();
    container.contribute(Engine, 'broken/engine', () => {
      throw new Error('no fuel');
    });
    expect(() => container.all(Engine)).toThrow(
      'The contribution of broken/engine to test.Engine could not be made: no fuel',
    );
  });

  test('makes a transient service anew for each who asks', () => {
    const container = new ServiceContainer();
    let made = 0;
    container.bind(Engine, 'engines', () => ({ power: ++made }), 'transient');
    container.bindClass(Car, 'cars', RedCar, 'transient');
    expect(container.get(Car)).not.toBe(container.get(Car));
    expect(made).toBe(2);
  });

  test('gives a class every contribution, and nothing for what may be missing', () => {
    const container = new ServiceContainer();
    container.contribute(Engine, 'a', () => ({ power: 1 }));
    container.contribute(Engine, 'b', () => ({ power: 2 }));
    container.bindClass(Fleet, 'depot', Depot);
    const { engines, spare } = container.get(Fleet);
    expect(engines).toEqual([{ power: 1 }, { power: 2 }]);
    expect(engines[0]).toBe(container.all(Engine)[0]);
    expect(spare).toBeUndefined();
  });

  test('names what a class needs and nobody provides, when the classes of its plugin are made', () => {
    const container = new ServiceContainer();
    container.bindClass(Car, 'cars', RedCar);
    expect(() => container.makeClassesOf('engines')).not.toThrow();
    expect(() => container.makeClassesOf('cars')).toThrow('Making test.Car needs test.Engine, which nothing provides');
    expect(coded(() => container.get(Car))).toBe('FW_CONTAINER_NEED_UNBOUND');
  });

  test('refuses a class whose parameters carry no token', () => {
    class Bare {
      constructor(readonly engine: Engine) {}
    }
    const container = new ServiceContainer();
    expect(coded(() => container.bindClass(Car, 'cars', Bare))).toBe('FW_CONTAINER_CLASS');
    expect(() => container.bindClass(Car, 'cars', Bare)).toThrow('The class Bare, which cars binds to test.Car');
  });

  test('prints the circle of factories, of classes, and of both', () => {
    const A = token<unknown>('test.A');
    const B = token<unknown>('test.B');
    const C = token<unknown>('test.C');
    @injectable()
    class NeedsB {
      constructor(@inject(B) readonly b: unknown) {}
    }
    @injectable()
    class NeedsA {
      constructor(@inject(A) readonly a: unknown) {}
    }
    const factories = new ServiceContainer();
    factories.bind(A, 'a', ({ get }) => get.call(factories, B));
    factories.bind(B, 'b', (resolve) => resolve.get(C));
    factories.contribute(C, 'c', (resolve) => resolve.get(A));
    expect(() => factories.get(B)).toThrow('Nothing provides test.C');
    factories.withdraw('b');
    factories.bind(B, 'b', (resolve) => resolve.all(C));
    expect(() => factories.get(A)).toThrow('while they are made: test.A -> test.B -> test.C -> test.A');
    // What failed leaves nothing behind that would make the next one a circle.
    expect(() => factories.get(B)).toThrow('while they are made: test.B -> test.C -> test.A -> test.B');

    const classes = new ServiceContainer();
    classes.bindClass(A, 'a', NeedsB);
    classes.bindClass(B, 'b', NeedsA);
    expect(() => classes.get(A)).toThrow('while they are made: test.A -> test.B -> test.A');

    const both = new ServiceContainer();
    both.bindClass(A, 'a', NeedsB);
    both.bind(B, 'b', (resolve) => resolve.getOptional(A));
    expect(() => both.get(A)).toThrow('while they are made: test.A -> test.B -> test.A');
    expect(() => both.get(B)).toThrow('while they are made: test.B -> test.A -> test.B');
  });

  test('refuses a factory that makes its service later', () => {
    const container = new ServiceContainer();
    container.bind(Engine, 'engines', () => Promise.resolve({ power: 1 }) as unknown as Engine);
    expect(coded(() => container.get(Engine))).toBe('FW_CONTAINER_PROMISE');
  });

  test('keeps one provider apart from many contributions', () => {
    const container = new ServiceContainer();
    container.bind(Engine, 'petrol', () => ({ power: 1 }));
    expect(coded(() => container.contribute(Engine, 'electric', () => ({ power: 2 })))).toBe(
      'FW_CONTAINER_BOUND_TWICE',
    );
    container.contribute(Spare, 'a', () => ({ power: 3 }));
    expect(() => container.bind(Spare, 'b', () => ({ power: 4 }))).toThrow('Both a and b provide test.Spare');
  });

  test('forgets what a withdrawn plugin bound, except for that plugin, which has to stop it', () => {
    const container = new ServiceContainer();
    container.bind(Engine, 'engines', () => ({ power: 7 }));
    const own = container.resolverFor('engines');
    const made = own.get(Engine);
    container.withdraw('engines');
    expect(container.getOptional(Engine)).toBeUndefined();
    expect(container.ownerOf(Engine)).toBeUndefined();
    expect(coded(() => container.resolverFor('cars').get(Engine))).toBe('FW_CONTAINER_UNBOUND');
    expect(own.get(Engine)).toBe(made);
  });
});

function coded(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}
