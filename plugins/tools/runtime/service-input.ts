import { Type } from 'typebox';
import { liveBase, normalPath } from './live-url.js';

/** Inputs that every tool has which reads the dashboard API of a running application. */
export const ServiceInput = {
  service_url: Type.String({ description: "the app's base URL" }),
  base_path: Type.Optional(Type.String({ description: 'dashboard mount, default /dashboard' })),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
};

/** Names of {@link ServiceInput}; all of them are text. */
export const SERVICE_TEXTS = ['service_url', 'base_path', 'username', 'password', 'token'] as const;

interface Service {
  readonly service_url: string;
  readonly base_path?: string;
  readonly username?: string;
  readonly password?: string;
  readonly token?: string;
}

/** Where a dashboard endpoint of a service is, and with which credentials it is read. */
export function dashboardEndpoint(input: Service, endpoint: string, query: Readonly<Record<string, unknown>> = {}) {
  const base = liveBase('service_url', input.service_url);
  const { username, password, token } = input;
  const url = `${base}${normalPath(input.base_path ?? '/dashboard')}/api/${endpoint}${queryOf(query)}`;
  return { base, url, username, password, token };
}

/** `?a=1&b=2` of the members that have a value. */
export function queryOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString();
  return text === '' ? '' : `?${text}`;
}
