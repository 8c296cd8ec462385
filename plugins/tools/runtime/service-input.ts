import { type Static, type TSchema } from 'typebox';
import { fwError, type ToolContext, validatorOf } from '../../../kernel/index.js';
import { runningAppsIn } from '../../../kernel/running/index.js';
import { optional, optionalText, Text } from '../../../kernel/schema/index.js';
import { RUNTIME_ERRORS } from './errors.js';
import { LiveProblem, readLive } from './live-service.js';
import { liveBase, normalPath } from './live-url.js';

/** Inputs of every tool that reads the dashboard API of a running application. */
export const ServiceInput = {
  service_url: optionalText("base URL; default the workspace's running app"),
  base_path: optionalText('dashboard mount, default /dashboard'),
  username: optional(Text),
  password: optional(Text),
  token: optional(Text),
};

/** The application to read, with its credentials. */
export interface ServiceArguments {
  readonly service_url?: string;
  readonly base_path?: string;
  readonly username?: string;
  readonly password?: string;
  readonly token?: string;
}

/** A document that a tool reads from an application. */
export interface Wanted<Schema extends TSchema> {
  /** Below `/api/` of the dashboard. */
  readonly endpoint: string;
  readonly query?: Readonly<Record<string, unknown>>;
  /** What is read, in words. */
  readonly what: string;
  readonly schema: Schema;
  /** Meaning of a missing document. */
  readonly missing?: string;
}

/** An application that can be read. */
export interface Service {
  /** Base URL. */
  readonly base: string;
  /** @throws LiveProblem when it cannot be read */
  read<Schema extends TSchema>(wanted: Wanted<Schema>): Promise<NoInfer<Static<Schema>>>;
}

/**
 * The application of a call: the one at `service_url`; else the one that the tool runs in; else the one that is registered as running in
 * the workspace.
 *
 * @throws FwError `FW_TOOLS_LIVE_...`
 */
export async function serviceOf(given: ServiceArguments, context: ToolContext): Promise<Service> {
  if (given.service_url === undefined && context.application) return ownService(context.application);
  const base = await addressOf(given, context);
  const { base_path: mount = '/dashboard', username, password, token } = given;
  return {
    base,
    read: ({ endpoint, query = {}, ...wanted }) => {
      const url = `${base}${normalPath(mount)}/api/${endpoint}${queryOf(query)}`;
      return readLive({ ...wanted, url, username, password, token }, context);
    },
  };
}

/**
 * Base URL of the application of a call.
 * @throws FwError `FW_TOOLS_LIVE_...`
 */
export async function addressOf({ service_url: named, ...given }: ServiceArguments, context: ToolContext) {
  if (named !== undefined) return liveBase('service_url', named);
  return foundAddress({ argument: 'service_url', what: 'application', label: undefined }, given, context);
}

/** An address that a call leaves out. */
interface LeftOut {
  /** Name of the argument, for messages. */
  readonly argument: string;
  readonly what: string;
  /** As an application calls the address; undefined for its first one. */
  readonly label: string | undefined;
}

/**
 * Base URL of a service whose address a call left out: that of the application that the tool runs inside of, else that of the application
 * that is registered as running in the workspace.
 *
 * @throws FwError `FW_TOOLS_LIVE_...`, also for credentials, which go to named addresses alone
 */
export async function foundAddress(
  { argument, what, label }: LeftOut,
  given: Pick<ServiceArguments, 'username' | 'password' | 'token'>,
  context: ToolContext,
): Promise<string> {
  refuseCredentials(argument, given);
  if (context.application) return context.application.url;
  const running = await runningAppsIn(context.workspace);
  const found = new Map(
    running.flatMap(({ app, addresses }) => {
      const address = addresses.find((each) => label === undefined || each.label === label);
      // An application chooses its name itself: one that is no plain word is not shown.
      const name = /^[\w@/.-]{1,60}$/.test(app) ? `${app} at ` : '';
      return address ? [[address.url, `${name}${address.url}`] as const] : [];
    }),
  );
  const urls = [...found.keys()];
  const folder = context.workspace;
  if (urls.length > 1) {
    const all = [...found.values()].join(', ').slice(0, 500);
    throw fwError(RUNTIME_ERRORS.FW_TOOLS_LIVE_SEVERAL, { argument, folder, found: all });
  }
  if (urls[0] === undefined) throw fwError(RUNTIME_ERRORS.FW_TOOLS_LIVE_NOBODY, { argument, what, folder });
  // The entry is not trusted: it is checked like an argument of a caller.
  return liveBase('.fw/running', urls[0]);
}

function refuseCredentials(argument: string, given: Pick<ServiceArguments, 'username' | 'password' | 'token'>): void {
  const { username, password, token } = given;
  const names = Object.entries({ username, password, token }).flatMap(([name, value]) => (value ? [name] : []));
  if (names.length > 0) throw fwError(RUNTIME_ERRORS.FW_TOOLS_LIVE_UNNAMED, { argument, given: names.join(' and ') });
}

function ownService(application: NonNullable<ToolContext['application']>): Service {
  return {
    base: application.url,
    read: ({ endpoint, query = {}, what, schema, missing = 'There is no such thing.' }) => {
      const value = application.read(endpoint, textOf(query));
      const [issue] = value === undefined ? [] : validatorOf(schema).check(value);
      if (value === undefined || issue) throw new LiveProblem('missing', what, issue?.message ?? missing);
      return Promise.resolve(value as Static<typeof schema>);
    },
  };
}

function textOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** `?a=1&b=2` of the members that have a value. */
export function queryOf(query: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams(textOf(query)).toString();
  return text === '' ? '' : `?${text}`;
}
