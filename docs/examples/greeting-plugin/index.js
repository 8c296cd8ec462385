// A third party's plugin, as an npm package would ship it: it imports nothing but fw's public subpaths.
import {
  DashboardLive,
  DashboardPage,
  definePlugin,
  defineTool,
  HttpRoutes,
  ToolContribution,
  Type,
  withDefault,
} from 'fw';
import { routes } from 'fw/http';
import { greet } from './greet.js';

const options = Type.Object({
  greeting: withDefault(Type.String({ minLength: 1, description: 'Word before the name' }), 'Hello'),
});

const greetingRoutes = (greeting) =>
  routes((router, services) => {
    const live = services.getOptional(DashboardLive);
    router.get('/greet/:name', { title: 'Greet somebody', tags: ['greeting'] }, (ctx) => {
      const text = greet(greeting, ctx.params.name);
      live?.publish('greeting', { text });
      return { text };
    });
  }, 'greeting');

const greetTool = (greeting) =>
  defineTool({
    name: 'greeting_greet',
    category: 'knowledge',
    description: 'Say how this application greets somebody.',
    input: Type.Object({ name: Type.String({ description: 'Whom to greet' }) }),
    output: Type.Object({ text: Type.String() }),
    texts: ['name'],
    reach: 'inProcess',
    effects: [],
    run: async ({ name }) => {
      const text = greet(greeting, name);
      return { summary: text, structured: { text } };
    },
  });

export default definePlugin({
  id: 'fw-plugin-greeting',
  category: 'app',
  description: 'Greets people over HTTP and over MCP.',
  fw: '^0.1.0',
  options,
  optionalNeeds: ['http', 'dashboard'],
  register({ options: { greeting }, contribute }) {
    contribute(HttpRoutes, () => greetingRoutes(greeting));
    contribute(ToolContribution, () => greetTool(greeting));
    contribute(DashboardPage, () => ({
      id: 'greetings',
      title: 'Greetings',
      path: '/greetings',
      module: new URL('./greetings-page.js', import.meta.url),
    }));
  },
});
