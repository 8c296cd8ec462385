import { Address, AppInfo, BeforeStop, definePlugin, HttpServer, off, ReadinessCheck } from '../../kernel/index.js';
import { expectAt } from '../../kernel/net/index.js';
import { LocalDoors } from '../../kernel/contracts/local-doors.js';
import { proxyTest } from './client-address.js';
import { HttpHost } from './http-host.js';
import { Health } from './health/health.js';
import { routerProbe } from './http-probe.js';
import { localDoors } from './local-doors.js';
import { MIDDLEWARE_SUBSYSTEMS } from './probed-middleware.js';
import { httpOptionsSchema } from './options.js';

export { answer, type BlockingRequest, type BlockingWorker, UploadedFile } from '../../kernel/index.js';
export { type Encoding, ENCODINGS, negotiateEncoding } from './accept-encoding.js';
export { boundedKey } from './bounded-key.js';
export { clientAddress, peerAddress, LOCAL_CLIENT, type ClientAddress } from './client-address.js';
export { BindingError } from './binding-error.js';
export { withoutClientErrors } from './client-gone.js';
export { announceError, isMeantForClient, writeProblem } from './error-response.js';
export { HeaderBlock, setHeaderBlock } from './fast-koa/header-block.js';
export { isDeeperThan } from './input-bounds.js';
export { matchesETag } from './conditional/entity-tags.js';
export { httpDate } from '../../kernel/net/index.js';
export { outcomeOf, preconditionsOf, type Outcome, type Validators } from './conditional/preconditions.js';
export { changedMeanwhile, encodedTag, preconditionFailed, setValidators } from './conditional/route-validator.js';
export { localDoors, type DoorFacts } from './local-doors.js';
export { foreignPageRefusal } from './own-page.js';
export { isPreflight, preflightAnswered } from './preflight.js';
export { MIDDLEWARE_SUBSYSTEMS, withProbe, type ProbedMiddleware } from './probed-middleware.js';
export { DEFAULT_BODY_LIMIT, type HttpOptions } from './options.js';
export { decodedSegments } from './request-path.js';
export { decidedTarget, requestPath, shownPath } from './request-target.js';
export { decodeBody, hasBody, readBody } from './request-body.js';
export { isStreamed, knownBody, replaceBody, streamedBody } from './response-body.js';
export { routes } from './router.js';
export {
  eventStream,
  formatEvent,
  lastEventId,
  type EventStreamOptions,
  type ServerSentEvent,
} from './server-sent-events.js';
export { addVary, varyBy } from './vary.js';
export { decidesCors } from './web-body.js';

const HEALTH_DOOR = { name: 'what readiness says in detail', credential: 'openDoors of fw/http' };

/** Subsystem keys of other plugins that are always reported, with the plugin that provides each. */
const OTHER_SUBSYSTEMS = { docs: 'fw/docs', i18n: 'fw/middleware/locale', websocket: 'fw/websocket' };

export default definePlugin({
  id: 'http',
  category: 'http',
  description: 'HTTP server on Koa with a router, validated inputs and problem+json errors',
  options: httpOptionsSchema,
  provides: [HttpServer, LocalDoors],
  // Draining has its own deadline, the option shutdownTimeout; the kernel's has to be later.
  stopDeadlineMs: 600_000,
  register({ options, profile, log, bind, contribute, probe }) {
    // Checked here, so that the error appears once: the host is made again when a failed application is stopped.
    proxyTest(options.trustedProxies);
    expectAt(options);
    let host: HttpHost | undefined;
    bind(HttpServer, (services) => (host = new HttpHost(options, log, profile, services.get(AppInfo).root)));
    bind(LocalDoors, (services) => {
      const { trustedProxies, openDoors } = options;
      const server = services.get(HttpServer) as HttpHost;
      return localDoors(() => ({ profile, host: server.boundHost, trustedProxies, openDoors }));
    });
    // Called when the application begins to stop.
    contribute(BeforeStop, () => () => host?.health?.leave());
    contribute(Address, (services) => ({ label: 'Application', url: () => services.get(HttpServer).url }));
    const healthUrl = (path: string | undefined) => (path === undefined ? undefined : new URL(path, host?.url).href);
    contribute(Address, () => ({ label: 'Liveness', url: () => healthUrl(host?.health?.livePath) }));
    contribute(Address, () => ({ label: 'Readiness', url: () => healthUrl(host?.health?.readyPath) }));
    // Enabled plugins replace these probes, so that "not installed" differs from "installed and idle".
    for (const [subsystem, path] of Object.entries({ ...MIDDLEWARE_SUBSYSTEMS, ...OTHER_SUBSYSTEMS })) {
      probe(subsystem, () => off(`Not installed. Add plugin(() => import('${path}')) to app.config.ts.`));
    }
    probe(
      'router',
      routerProbe(() => host),
    );
    probe('static', () => host?.mounts.report() ?? off('The HTTP server has not started.'));
    probe('workerpool', () => host?.workers?.report() ?? off('No route uses handleBlocking.'));
  },
  async ready(services) {
    const host = services.get(HttpServer) as HttpHost;
    await host.assemble(services);
    const { health = {} } = services.options;
    if (health !== false) {
      const doors = services.get(LocalDoors);
      host.health = new Health({
        options: health,
        log: services.log,
        report: () => services.get(AppInfo).report(),
        checks: () => services.all(ReadinessCheck),
        isTold: (request) => doors.refusal(request, HEALTH_DOOR) === undefined,
        hasRoute: (path) => host.routes().some((route) => route.method === 'GET' && route.path === path),
      });
    }
    await host.listen();
  },
  async drain(services) {
    await (services.get(HttpServer) as HttpHost).drain();
  },
});
