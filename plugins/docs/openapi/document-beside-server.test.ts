import { describe, expect, test } from '@jest/globals';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { HttpServer, plugin, type FieldProblem } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import docs from '../index.js';
import {
  bodies,
  changed,
  eitherObject,
  flatObjects,
  lists,
  objectOf,
  type Shape,
  textObjects,
  words,
} from '../testing/documented-values.js';
import type { MediaType, OpenApiDocument, Operation, Parameter } from './openapi-document.js';

/** Parameters of one source: name, shape, and whether it may be missing. */
type Declared = readonly (readonly [name: string, shape: Shape, isOptional: boolean])[];

interface Declaration {
  readonly params: Declared;
  readonly query: Declared;
  readonly header: Declared;
  readonly body: Shape | undefined;
  readonly output: Shape;
  readonly missing: Shape;
  readonly status: number;
}

const declared = (names: readonly string[], shapes: fc.Arbitrary<Shape>, isOptional: fc.Arbitrary<boolean>) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...names), shapes, isOptional), { selector: ([name]) => name, maxLength: 3 });

const declaration: fc.Arbitrary<Declaration> = fc
  .record({
    params: declared(['id', 'part', 'of'], fc.oneof(words, lists, textObjects), fc.constant(false)),
    query: declared(
      ['page', 'q', 'x-y', 'filter.by', 'é'],
      fc.oneof(words, lists, flatObjects, eitherObject),
      fc.boolean(),
    ),
    header: declared(['X-Level', 'if-seen', 'x_under'], fc.oneof(words, lists, textObjects), fc.boolean()),
    body: fc.option(bodies, { nil: undefined }),
    output: bodies,
    missing: bodies,
    status: fc.constantFrom(200, 201, 202),
  })
  // For a counterexample that can be read.
  .map((route) =>
    Object.assign(route, {
      [fc.toStringMethod]: () =>
        JSON.stringify(route, (key, value: unknown) => (key === 'valid' || key === 'wrong' ? undefined : value)),
    }),
  );

/** Some values, which differ from one call to the next and are the same in each run of the test. */
const some = <Value>(from: fc.Arbitrary<Value>, count: number, numbers: Numbers): Value[] =>
  fc.sample(from, { numRuns: count, seed: numbers.next().value as number });

type Numbers = Iterator<number>;

/** What a client sends, as values and not yet as text. */
interface Sent {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const sentTo = ({ params, query, header, body }: Declaration): fc.Arbitrary<Sent> =>
  fc.record({
    params: objectOf(params).valid,
    query: objectOf(query).valid,
    header: objectOf(header).valid,
    body: body?.valid ?? fc.constant(undefined),
  }) as fc.Arbitrary<Sent>;

/** A running application of one route, and what its document says of that route. */
interface Subject extends AsyncDisposable {
  readonly url: string;
  readonly path: string;
  readonly operation: Operation;
  readonly fits: (schema: unknown, value: unknown) => boolean;
  /** What the handler answers next, and what it was given. */
  readonly next: { status: number; body: unknown; input: unknown };
}

async function subjectOf({ params, query, header, body, output, missing, status }: Declaration): Promise<Subject> {
  const next: Subject['next'] = { status, body: undefined, input: undefined };
  const pattern = `/at${params.map(([name]) => `/:${name}`).join('')}`;
  const routes = routesUnderTest((router) => {
    router.post(
      pattern,
      {
        status,
        output: output.schema,
        responses: { 404: { output: missing.schema } },
        input: {
          ...(params.length > 0 && { params: objectOf(params).schema }),
          ...(query.length > 0 && { query: objectOf(query).schema }),
          ...(header.length > 0 && { header: objectOf(header).schema }),
          ...(body && { body: body.schema }),
        },
      },
      ((ctx: { status: number; input: unknown }) => {
        next.input = ctx.input;
        if (next.status !== status) ctx.status = next.status;
        return next.body;
      }) as never,
    );
  });
  const app = await bootTestApp({
    plugins: [plugin(() => Promise.resolve(http), { port: 0 }), plugin(() => Promise.resolve(docs), {}), routes],
  });
  const { url } = app.services.get(HttpServer);
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const [[path, item]] = Object.entries(document.paths) as [[string, { post: Operation }]];
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true, ownProperties: true }));
  ajv.addSchema(document as unknown as AnySchema, 'document');
  const fits = (schema: unknown, value: unknown) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    return ajv.validate(JSON.parse(text) as AnySchema, value) as boolean;
  };
  return { url, path, operation: item.post, fits, next, [Symbol.asyncDispose]: () => app.stop() };
}

/**
 * The request that the document asks a client to send, by OpenAPI's styles.
 *
 * @param explodes - whether members of objects in paths and headers are written `name=value`
 */
function request(subject: Subject, { params, query, header, body }: Sent, explodes = false): Promise<Response> {
  const { url, path, operation } = subject;
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => simple(params[name], explodes, encodeURIComponent));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    namedTexts(name, value, parameterOf(subject, 'query', name).style),
  );
  const headers = Object.fromEntries(Object.entries(header).map(([name, value]) => [name, simple(value, explodes)]));
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  return fetch(`${url}${at}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`, {
    method: 'POST',
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': type ?? 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

function simple(value: unknown, explodes: boolean, encode = (text: string) => text): string {
  if (!isObject(value)) return [value].flat().map(String).map(encode).join(',');
  const between = explodes ? '=' : ',';
  return Object.entries(value)
    .map(([name, member]) => `${encode(name)}${between}${encode(String(member))}`)
    .join(',');
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// `form` with `explode` for lists; for objects what the document says, `deepObject` or, with nothing said, a name for each member.
function namedTexts(name: string, value: unknown, style?: Parameter['style']): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => namedTexts(name, each, style));
  if (!isObject(value)) return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([key, member]) =>
    namedTexts(style === 'deepObject' ? `${name}[${key}]` : key, member, style),
  );
}

/** The answer, held to what the document says of its status. */
async function answered({ operation, fits }: Subject, response: Response) {
  const described = operation.responses[response.status];
  const content = described && 'content' in described ? described.content : undefined;
  const [type] = (response.headers.get('content-type') ?? '').split(';') as [string];
  const body: unknown = await response.json();
  const schema = content ? (content[type] as MediaType).schema : { $ref: '#/components/schemas/Problem' };
  if (content === undefined) expect(type).toBe('application/problem+json');
  return { status: response.status, body, fits: fits(schema, body), schema };
}

const parameterOf = ({ operation }: Subject, where: Parameter['in'], name: string) =>
  operation.parameters?.find((each) => each.in === where && each.name === name) as Parameter;

const instances: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, '', 'a', 0, -1, 1.5, 2 ** 53, -1e20, true, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

describe('a client that knows the document and nothing else', () => {
  test('is never refused for the shape of what fits it, and gets what it says, whatever the route declares', async () => {
    await fc.assert(
      fc.asyncProperty(declaration, fc.infiniteStream(fc.nat()), async (route, numbers) => {
        await using subject = await subjectOf(route);
        for (const sent of some(sentTo(route), 4, numbers)) {
          // The document says of each value what the route said.
          for (const [where, values] of [['path', sent.params], ['query', sent.query], ['header', sent.header]] as const)
            for (const [name, value] of Object.entries(values))
              expect([name, subject.fits(parameterOf(subject, where, name).schema, value)]).toEqual([name, true]);
          const isFound = ((numbers.next().value as number) & 1) === 0;
          const [output] = some((isFound ? route.output : route.missing).valid, 1, numbers);
          Object.assign(subject.next, { status: isFound ? route.status : 404, body: output });
          const explodes = ((numbers.next().value as number) & 1) === 0;
          const answer = await answered(subject, await request(subject, sent, explodes));
          expect(answer).toMatchObject({ status: subject.next.status, fits: true, body: JSON.parse(JSON.stringify(output)) });
          const input = Object.fromEntries(Object.entries(sent).filter(([, part]) => part !== undefined));
          for (const [source, part] of Object.entries(input))
            if (route[source as 'body'] !== undefined && JSON.stringify(route[source as 'body']) !== '[]')
              expect((subject.next.input as Record<string, unknown>)[source]).toEqual(part);
        }
      }),
      { numRuns: 25 },
    );
  }); // prettier-ignore

  test('is refused for a parameter that does not fit, by name', async () => {
    await fc.assert(
      fc.asyncProperty(declaration, fc.infiniteStream(fc.nat()), async (route, numbers) => {
        await using subject = await subjectOf(route);
        for (const source of ['params', 'query', 'header'] as const)
          for (const [name, shape, isOptional] of route[source]) {
            const [sent] = some(sentTo(route), 1, numbers) as [Sent];
            const [wrong] = some(shape.wrong, 1, numbers);
            const others = Object.fromEntries(Object.entries(sent[source]).filter(([each]) => each !== name));
            const cases = [{ ...others, [name]: wrong }, ...(isOptional || source === 'params' ? [] : [others])];
            for (const values of cases) {
              subject.next.input = undefined;
              const answer = await answered(subject, await request(subject, { ...sent, [source]: values }));
              expect(answer).toMatchObject({ status: 422, fits: true });
              const { errors } = answer.body as { errors: readonly FieldProblem[] };
              expect(errors.map(({ in: where, field }) => [where, field.slice(0, name.length)])).toContainEqual([source, name]);
              expect(subject.next.input).toBeUndefined();
            }
          }
      }),
      { numRuns: 25 },
    );
  }); // prettier-ignore

  test('agrees with the server about any change of a body', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(declaration, fc.infiniteStream(fc.nat()), async (route, numbers) => {
        if (route.body === undefined) return;
        await using subject = await subjectOf(route);
        const { required, content } = subject.operation.requestBody as NonNullable<Operation['requestBody']>;
        const { schema } = Object.values(content)[0] as MediaType;
        expect(required).toBe(true);
        const pick = (most: number) => (numbers.next().value as number) % (most + 1);
        for (const sent of some(sentTo(route), 12, numbers)) {
          const [instead] = some(instances, 1, numbers);
          const { value, at } = changed(sent.body, pick, instead);
          const [output] = some(route.output.valid, 1, numbers);
          Object.assign(subject.next, { status: route.status, body: output });
          const answer = await answered(subject, await request(subject, { ...sent, body: value }));
          const isValid = subject.fits(schema, value);
          expect({ isValid, schema, value, answer: answer.body, status: answer.status }).toMatchObject({ isValid, status: isValid ? route.status : 422 });
          expect(answer.fits).toBe(true);
          if (isValid) continue;
          refused++;
          const { errors } = answer.body as { errors: readonly FieldProblem[] };
          const place = at.join('.');
          const isNear = (field: string) => field === '' || place.startsWith(field) || field.startsWith(place) || field.startsWith(at.slice(0, -1).join('.'));
          expect(errors.filter(({ in: where, field }) => where === 'body' && isNear(field))).not.toEqual([]);
        }
      }),
      { numRuns: 30 },
    );
    expect(refused).toBeGreaterThan(50);
  }); // prettier-ignore
});
