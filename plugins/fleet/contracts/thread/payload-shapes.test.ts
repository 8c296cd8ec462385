import { describe, expect, test } from '@jest/globals';
import type { Direction } from '../../../../kernel/contracts/fleet-wire.js';
import { CheckTasks } from './check-tasks.js';

// Shapes of documents as other frameworks and people write them.
const COMPONENTS = {
  schemas: {
    User: {
      type: 'object',
      required: ['id', 'name', 'password'],
      properties: {
        id: { type: 'integer', readOnly: true },
        name: { type: 'string' },
        password: { type: 'string', writeOnly: true },
      },
    },
    Admin: {
      allOf: [{ $ref: '#/components/schemas/User' }, { required: ['id', 'rights'], properties: { rights: { type: 'array' } } }],
    },
    Secret: { type: 'string', writeOnly: true },
    Keeper: { type: 'object', required: ['key'], properties: { key: { $ref: '#/components/schemas/Secret' } } },
    Card: { type: 'object', required: ['kind', 'number'], properties: { kind: { type: 'string' }, number: { type: 'string' } } },
    Transfer: { type: 'object', required: ['kind', 'iban'], properties: { kind: { type: 'string' }, iban: { type: 'string' } } },
    Payment: {
      oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Transfer' }],
      discriminator: { propertyName: 'kind', mapping: { card: '#/components/schemas/Card', sepa: 'Transfer', gone: 'elsewhere.json' } },
    },
    Costs: { type: 'object', required: ['object', 'sum'], properties: { object: { enum: ['usage.costs'] }, sum: { type: 'number' } } },
    Count: { allOf: [{ type: 'object', required: ['object', 'count'], properties: { object: { const: 'usage.count' }, count: { type: 'integer' } } }] },
    Old: { type: 'object', required: ['object', 'total'], properties: { object: { const: 'usage.costs' }, total: { type: 'integer' } } },
    Usage: { oneOf: ['Costs', 'Count', 'Old'].map((name) => ({ $ref: `#/components/schemas/${name}` })), discriminator: { propertyName: 'object' } },
    Pet: { type: 'object', required: ['petType'], properties: { petType: { type: 'string' } }, discriminator: { propertyName: 'petType' } },
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { lives: { type: 'integer' } } }] },
    Promotion: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' }, code: { type: 'string' } } },
  },
}; // prettier-ignore

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function problems(schema: object, body: unknown, direction: Direction = 'response') {
  const content = { content: { 'application/json': { schema } } };
  const item = { post: { requestBody: content, responses: { 200: content } } };
  const text = JSON.stringify({ paths: { '/a': item }, components: COMPONENTS });
  const buffer = new SharedArrayBuffer(Buffer.byteLength(text));
  new Uint8Array(buffer).set(Buffer.from(text));
  const task = { document: 1, direction, operation: 'POST /a', status: 200, mediaType: undefined, text: JSON.stringify(body) };
  const [outcome] = new CheckTasks().run({ documents: [[1, buffer]], gone: [], tasks: [task] }, () => undefined);
  if (outcome === undefined || !('problems' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.problems.map(({ path, rule, expected }) => `${path} ${rule} ${expected}`);
} // prettier-ignore

describe('members of one direction', () => {
  test.each<[string, object, unknown, Direction, string[]]>([
    ['a request leaves out what is only read', ref('User'), { name: 'x', password: 'y' }, 'request', []],
    ['and may have it', ref('User'), { id: 1, name: 'x', password: 'y' }, 'request', []],
    ['but not of another type', ref('User'), { id: '1', name: 'x', password: 'y' }, 'request', ['/id type integer']],
    ['a response leaves out what is only written', ref('User'), { id: 1, name: 'x' }, 'response', []],
    ['and must not have it', ref('User'), { id: 1, name: 'x', password: '••••••' }, 'response', ['/password writeOnly no such member in a response']],
    ['what is only read is required there', ref('User'), { name: 'x' }, 'response', ['/id required present']],
    ['in a list', { type: 'array', items: ref('User') }, [{ id: 1, name: 'x', password: 'y' }], 'response', ['/0/password writeOnly no such member in a response']],
    ['required by a part, only read in another one', ref('Admin'), { name: 'x', password: 'y', rights: [] }, 'request', []],
    ['and answered by both', ref('Admin'), { id: 1, name: 'x', rights: [] }, 'response', []],
    ['said behind a reference', ref('Keeper'), {}, 'response', []],
    ['and broken behind one', ref('Keeper'), { key: 'x' }, 'response', ['/key writeOnly no such member in a response']],
    ['and needed in a request', ref('Keeper'), {}, 'request', ['/key required present']],
  ])('%s', (_, schema, body, direction, expected) => {
    expect(problems(schema, body, direction)).toEqual(expected);
  }); // prettier-ignore
});

describe('alternatives with a discriminator', () => {
  test.each<[string, object, unknown, string[]]>([
    ['by the mapping', ref('Payment'), { kind: 'card', number: '1' }, []],
    ['by a name in the mapping', ref('Payment'), { kind: 'sepa', iban: 'x' }, []],
    ['by the name of the schema', ref('Payment'), { kind: 'Card', number: '1' }, []],
    ['the wrong value of the one that is meant', ref('Payment'), { kind: 'sepa', iban: 3 }, ['/iban type string']],
    ['a member of another one', ref('Payment'), { kind: 'card', number: '1', iban: 'x' }, ['/iban additionalProperties declared property']],
    ['no known one', ref('Payment'), { kind: 'cash' }, ['/kind enum one of ["Card","Transfer","card","sepa","gone"]']],
    ['one of another document', ref('Payment'), { kind: 'gone', whatever: 1 }, []],
    ['none', ref('Payment'), { number: '1' }, ['/kind required present']],
    ['no object', ref('Payment'), 'card', [' type object']],
    ['or nothing', { oneOf: [...((COMPONENTS.schemas.Payment as { oneOf: object[] }).oneOf), { type: 'null' }], discriminator: { propertyName: 'kind' } }, null, []],
    ['by a value that the schema itself lists', ref('Usage'), { object: 'usage.costs', sum: 1 }, []],
    ['by one of its parts', ref('Usage'), { object: 'usage.count', count: 'x' }, ['/count type integer']],
    ['by a value of two of them', ref('Usage'), { object: 'usage.costs', total: 1 }, []],
    ['not by the name of a schema that lists its values', ref('Usage'), { object: 'Count', count: 1 }, ['/object enum one of ["usage.costs","usage.count"]']],
    ['a base does not know the members of those made of it', ref('Pet'), { petType: 'Cat', lives: 9 }, []],
    ['which themselves do', ref('Cat'), { petType: 'Cat', lives: 'x', tail: 1 }, ['/lives type integer']],
  ])('%s', (_, schema, body, expected) => {
    expect(problems({ type: 'object', properties: { p: schema } }, { p: body }).map((each) => each.replace('/p', ''))).toEqual(expected);
  }); // prettier-ignore
});

describe('the innermost wrong value', () => {
  const optional = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
  test.each<[string, object, unknown, string[]]>([
    ['of an optional object', optional(ref('Promotion')), { amount: '5' }, ['/p/amount type number']],
    ['two of them', optional(ref('Promotion')), { amount: '5', code: 1 }, ['/p/amount type number', '/p/code type string']],
    ['nullable, as OpenAPI 3.0 says it', { allOf: [ref('Promotion')], nullable: true }, { amount: '5' }, ['/p/amount type number']],
    ['nullable as an alternative of its own', { anyOf: [ref('Promotion'), { nullable: true }] }, { amount: '5', code: 'x' }, ['/p/amount type number']],
    ['and null itself', { anyOf: [ref('Promotion'), { nullable: true }] }, null, []],
    ['of a list in an alternative', optional({ type: 'array', items: ref('Promotion') }), [{ amount: 1 }, {}], ['/p/1/amount required present']],
    ['of alternatives within alternatives', optional({ type: 'object', properties: { q: optional(ref('Promotion')) } }), { q: { amount: 'x' } }, ['/p/q/amount type number']],
    ['by a tag of the alternatives', { oneOf: ['a', 'b'].map((tag) => ({ type: 'object', required: ['t'], properties: { t: { const: tag }, n: { type: tag === 'a' ? 'integer' : 'string' } } })) }, { t: 'b', n: 1 }, ['/p/n type string']],
    ['by a tag that is an enum of one', { anyOf: ['a', 'b'].map((tag) => ({ type: 'object', required: ['t'], properties: { t: { enum: [tag] }, n: { type: tag === 'a' ? 'integer' : 'string' } } })) }, { t: 'a', n: 'x' }, ['/p/n type integer']],
    ['of no type that is allowed', { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, true, ['/p type string or integer or null']],
    ['of no value that is allowed', { anyOf: [{ const: 'a' }, { const: 'b' }] }, 'c', ['/p enum one of ["a","b"]']],
    ['where two are as likely', { anyOf: [{ type: 'object', required: ['a'] }, { type: 'object', required: ['b'] }] }, {}, ['/p anyOf one of the alternatives']],
    ['that must not be', { not: { type: 'string' } }, 'x', ['/p not not {"type":"string"}']],
    ['behind a condition', { if: { required: ['a'] }, then: { properties: { a: { type: 'integer' } } } }, { a: 'x' }, ['/p/a type integer']],
    ['beside another one', { allOf: [{ properties: { a: { type: 'integer' } } }, optional(ref('Promotion'))] }, { a: 'x', amount: 'y' }, ['/p/a type integer', '/p/amount type number']],
  ])('%s', (_, schema, body, expected) => {
    expect(problems({ type: 'object', properties: { p: schema } }, { p: body })).toEqual(expected);
  }); // prettier-ignore
});
