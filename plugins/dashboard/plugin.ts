import {
  Address,
  DashboardLive,
  definePlugin,
  HttpMiddleware,
  HttpRoutes,
  LocalRecords,
  off,
} from '../../kernel/index.js';
import { QueryObserver } from '../../kernel/contracts/query-observer.js';
import { ToolCallObserver } from '../../kernel/contracts/tool-calls.js';
import { routes } from '../http/index.js';
import { apiRoutes, localRecords } from './api/api-routes.js';
import { Dashboard, DashboardService } from './dashboard.js';
import { dashboardProbe } from './dashboard-probe.js';
import { fleetRoutes } from './fleet/fleet-routes.js';
import { dashboardOptions } from './options.js';
import { pageRoutes } from './page/page-routes.js';

const NINE = [
  'recovery', 'logging', 'rate-limit', 'locale', 'cors', 'security-headers', 'jwt', 'etag', 'compression',
].map((name) => `middleware/${name}`); // prettier-ignore

/** The web UI and the API that the runtime tools read: routes, requests, logs, performance, diagnostics. */
export default definePlugin({
  id: 'dashboard',
  category: 'dashboard',
  description: 'Records requests and logs, samples the process, and shows them with the diagnostics',
  options: dashboardOptions,
  needs: ['http'],
  optionalNeeds: ['fleet/tracer'],
  oneWorker: ({ basePath }) => [basePath],
  provides: [DashboardService, DashboardLive, LocalRecords],
  requestContext: ({ timeline }, profile) => timeline ?? profile === 'dev',
  order: {
    after: ['fleet/tracer'],
    before: NINE,
    because: 'its recorder sees every request, also those that a middleware answers, with their trace id',
  },
  register({ options, bind, contribute, probe }) {
    let dashboard: Dashboard | undefined;
    bind(DashboardService, (resolve) => (dashboard = new Dashboard(options, resolve)));
    bind(DashboardLive, (resolve) => resolve.get(DashboardService).live);
    bind(LocalRecords, (resolve) => localRecords(resolve.get(DashboardService)));
    contribute(HttpMiddleware, (resolve) => ({
      name: 'dashboard',
      handle: resolve.get(DashboardService).recorder.middleware(),
      seesRefused: true,
    }));
    contribute(HttpRoutes, (resolve) => ({
      ownDoor: true,
      ...routes((router) => {
        const service = resolve.get(DashboardService);
        const { basePath } = options;
        router.group(`${basePath}/api`, { hidden: true }, (api) => {
          apiRoutes(api, service);
          if (service.fleet) fleetRoutes(api, service.fleet, service.access);
        });
        router.group(basePath, { hidden: true }, (pages) => pageRoutes(pages, service));
      }, 'dashboard'),
    }));
    if (options.queries) contribute(QueryObserver, (resolve) => resolve.get(DashboardService).queries);
    contribute(ToolCallObserver, (resolve) => resolve.get(DashboardService).toolCalls);
    contribute(Address, (resolve) => ({
      label: 'Dashboard',
      url: () => `${resolve.get(DashboardService).server().url}${options.basePath}`,
      note: () => (resolve.get(DashboardService).access.isClosed ? 'closed until its credentials are set' : undefined),
    }));
    probe('dashboard', () => (dashboard ? dashboardProbe(dashboard) : off('The dashboard has not started.')));
  },
  start: ({ get }) => get(DashboardService).start(),
  // Whether it is open without a login depends on the address that the server listens on.
  ready({ get, options, log }) {
    const { openness } = get(DashboardService).access;
    if (openness !== undefined) log.warn(`${openness} (${options.basePath})`);
  },
  stop: ({ get }) => get(DashboardService).stop(),
});
