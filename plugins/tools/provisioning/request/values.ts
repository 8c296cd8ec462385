import { fwError, loaderOf } from '../../../../kernel/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;
const IMAGE_PATH = /^[a-z0-9]+([._-][a-z0-9]+)*(\/[a-z0-9]+([._-][a-z0-9]+)*)*$/;
const IMAGE_VERSION = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]*$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The name of a container is a DNS label in the network of its fleet (RFC 1035 2.3.4: 63 octets); `fw-` goes before it. */
const LONGEST_NAME = 60;
const LONGEST_IMAGE = 255;
const LONGEST_VALUE_BYTES = 32 * 1024;
/** All variables of a service are passed as one string, which Linux limits to 128 KiB. */
const ALL_VALUES_BYTES = 96 * 1024;

/** A refusal with the field, its value and the expectation. */
export function refused(field: string, value: unknown, expected: string): Error {
  const shown = JSON.stringify(value) ?? String(value);
  return fwError(PROVISIONING_ERRORS.FW_PROVISION_VALUE, { field, value: shown.slice(0, 200), expected });
}

/** @throws FwError `FW_PROVISION_VALUE` unless the text can be the name of a service or container */
export function checkedName(field: string, given: string): string {
  if (NAME.test(given) && given.length <= LONGEST_NAME && !given.includes('..')) return given;
  throw refused(
    field,
    given,
    `1 to ${LONGEST_NAME} letters, digits, "_", "." and "-", beginning with a letter or digit, no ".."`,
  );
}

/**
 * Checks an image tag: lower-case segments, an optional `:version`. Registry hosts and digests are not allowed, because a request could
 * then fetch and run a foreign image.
 *
 * @throws FwError `FW_PROVISION_VALUE`
 */
export function checkedImageTag(field: string, given: string): string {
  const colon = given.indexOf(':');
  const [name, version] = colon < 0 ? [given, undefined] : [given.slice(0, colon), given.slice(colon + 1)];
  const [first = '', ...others] = name.split('/');
  const hasHost = others.length > 0 && (first.includes('.') || first === 'localhost');
  const right = IMAGE_PATH.test(name) && (version === undefined || IMAGE_VERSION.test(version)) && !hasHost;
  if (right && given.length <= LONGEST_IMAGE) return colon < 0 ? `${given}:latest` : given;
  throw refused(
    field,
    given,
    'lower-case words joined by "/", such as shop/orders:1, without a registry host or a digest',
  );
}

/** Variables that the container itself needs, with the reason. */
const RESERVED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^FLEET_AGGREGATOR\w*$/i, 'provision_fleet starts the aggregator'],
  [/^(HOST|PORT)$/, 'the application listens on a fixed port in its container, which the call publishes'],
];

/**
 * Checks the variables of a service.
 * @throws FwError `FW_PROVISION_VALUE`, which never shows a value
 */
export function checkedEnvironment(field: string, given: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => [name, checkedVariable(field, name, value)] as const);
  if (Buffer.byteLength(JSON.stringify(entries)) > ALL_VALUES_BYTES) {
    throw refused(
      field,
      `more than ${ALL_VALUES_BYTES} bytes`,
      `at most ${ALL_VALUES_BYTES} bytes of variables in all`,
    );
  }
  return Object.fromEntries(entries);
}

function checkedVariable(field: string, name: string, value: unknown): string {
  if (!VARIABLE.test(name))
    throw refused(`${field}: the name of a variable`, name, 'letters, digits and "_", not beginning with a digit');
  const reserved = RESERVED.find(([pattern]) => pattern.test(name));
  if (reserved) throw refused(`${field}: the name of a variable`, name, `another one: ${reserved[1]}`);
  const loader = loaderOf(name);
  if (loader !== undefined)
    throw refused(
      `${field}: the name of a variable`,
      name,
      `one of the application's own: ${loader} would read it to decide what is loaded, in every process of the container`,
    );
  if (typeof value !== 'string') throw refused(`${field}.${name}`, typeof value, 'text');
  const bytes = Buffer.byteLength(value);
  if (bytes <= LONGEST_VALUE_BYTES && !value.includes('\0')) return value;
  throw refused(`${field}.${name}`, `text of ${bytes} bytes`, `at most ${LONGEST_VALUE_BYTES} bytes without NUL`);
}

/** @throws FwError `FW_PROVISION_VALUE` unless the text is a bare host name or address */
export function checkedHost(field: string, given: string): string {
  if (/^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(given) && given.length <= 253) return given;
  if (/^\[[0-9a-fA-F:]+\]$/.test(given)) return given;
  throw refused(field, given, 'a bare host name or address for the returned URLs, such as 127.0.0.1');
}
