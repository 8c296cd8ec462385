import { createHash } from 'node:crypto';
import { parse } from 'cookie';
import Negotiator from 'negotiator';
import { LOCALES } from '../work.mjs';

// Parts for which a peer has no package of its own, made of what its ecosystem uses.

let lines = '';
/** @type {NodeJS.Timeout | undefined} */
let timer;

/**
 * A line per request, buffered, to standard output.
 *
 * @param {string} method
 * @param {string} url
 * @param {number} status
 * @param {number} startedAt
 */
export function writeLine(method, url, status, startedAt) {
  lines += `${method} ${url} ${status} ${(performance.now() - startedAt).toFixed(3)}ms\n`;
  if (lines.length > 16_384) flush();
  else timer ??= setTimeout(flush, 200).unref();
}

function flush() {
  clearTimeout(timer);
  timer = undefined;
  process.stdout.write(lines);
  lines = '';
}

/**
 * By the query parameter, the cookie, Accept-Language, the default.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {string | undefined} lang
 */
export function localeOf(request, lang) {
  if (lang !== undefined && LOCALES.includes(lang)) return lang;
  const cookie = request.headers.cookie && parse(request.headers.cookie)['fw_locale'];
  if (cookie && LOCALES.includes(cookie)) return cookie;
  return new Negotiator(request).language(LOCALES) ?? 'en';
}

/** A strong entity tag: MD5 of the body. @param {string} body */
export function tagOf(body) {
  return `"${createHash('md5').update(body).digest('base64')}"`;
}
