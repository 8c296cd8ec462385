import { bootApp, defineApp, definePlugin, HttpRoutes, HttpServer, plugin, Type } from 'fw';
import { routes } from 'fw/http';

const ROUTES = 1000;

const maker = Type.Object({ name: Type.String(), country: Type.Optional(Type.String({ minLength: 2, maxLength: 2 })) });
const thing = () =>
  Type.Object({
    id: Type.Integer({ minimum: 1 }),
    name: Type.String({ minLength: 1, maxLength: 80, description: 'As the label says it' }),
    kind: Type.Union([Type.Literal('book'), Type.Literal('game')]),
    madeAt: Type.String({ format: 'date-time' }),
    makers: Type.Array(maker),
  });
const params = () => Type.Object({ id: Type.Integer({ minimum: 1 }) });
const query = () =>
  Type.Object({
    limit: Type.Optional(Type.Integer({ maximum: 100, default: 20 })),
    page: Type.Optional(Type.Integer()),
  });

// Schemas of their own for every route: nothing is shared that a real service would not share.
const module = routes((router) => {
  router.get('/processor-time', { hidden: true }, () => process.cpuUsage());
  for (let index = 0; index < ROUTES / 4; index++) {
    const tags = [`group ${index % 25}`];
    const path = `/api/things${index}`;
    router.get(
      path,
      { title: `List things ${index}`, tags, input: { query: query() }, output: Type.Array(thing()) },
      () => [],
    );
    router.post(
      path,
      { title: `Add a thing ${index}`, tags, input: { body: thing() }, output: thing(), status: 201 },
      (ctx) => ctx.input.body,
    );
    router.get(
      `${path}/:id`,
      { title: `Read a thing ${index}`, tags, input: { params: params() }, output: thing() },
      () => undefined,
    );
    router.patch(
      `${path}/:id`,
      {
        title: `Change a thing ${index}`,
        tags,
        input: { params: params(), body: Type.Partial(thing()) },
        output: thing(),
      },
      () => undefined,
    );
  }
}, 'things');

const app = await bootApp(
  defineApp({
    name: 'openapi',
    plugins: [
      plugin(() => import('fw/http'), { port: 0 }),
      plugin(() => import('fw/docs'), { title: 'Things', checkResponses: false }),
      plugin(() =>
        Promise.resolve(
          definePlugin({
            id: 'things',
            category: 'app',
            description: 'A thousand routes.',
            needs: ['http'],
            register: ({ contribute }) => contribute(HttpRoutes, () => module),
          }),
        ),
      ),
    ],
  }),
);
console.log(`listening on ${app.services.get(HttpServer).url}`);
