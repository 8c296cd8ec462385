import { describe, expect, test } from '@jest/globals';
import { inject, injectable } from './decorators.js';
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

  test('names the owner of a contribution that cannot be made', () => {
    const container = new ServiceContainer();
    container.contribute(Engine, 'broken/engine', () => {
      throw new Error('no fuel');
    });
    expect(() => container.all(Engine)).toThrow(
      'The contribution of broken/engine to test.Engine could not be made: no fuel',
    );
  });
});
