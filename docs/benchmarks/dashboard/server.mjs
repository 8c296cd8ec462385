// An application with an aggregator and a dashboard. With a password as argument the dashboard asks for a login.
import { bootApp, defineApp, HttpServer, plugin } from 'fw';

const [password] = process.argv.slice(2);
const login = password === undefined ? {} : { username: 'ops', password };
const app = await bootApp(
  defineApp({
    name: 'shop',
    plugins: [
      // The senders and the browser are on this machine, and have no credential in the profile of production.
      plugin(() => import('fw/http'), { port: 0, openDoors: 'local' }),
      plugin(() => import('fw/fleet/aggregator')),
      plugin(() => import('fw/dashboard'), { fleetAggregatorURL: '/fleet', ...login }),
      plugin(() => import('fw/middleware/security-headers')),
    ],
  }),
);
console.log(`listening on ${app.services.get(HttpServer).url}`);
