import { cutText } from '../../../kernel/log/index.js';
import type { BaggageLosses } from './baggage.js';

/** Size that has to be passed on at least, and that is passed on at most (W3C Baggage, section 3.3.2). */
const MAX_BYTES = 8_192;
const MAX_MEMBERS = 64;

const KEY = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
/** Properties are passed on unread. */
const PROPERTIES = /^[\t\x20-\x2b\x2d-\x7e]*$/;

/**
 * The `baggage` header to pass on unchanged: data of other services, which is neither read nor recorded. Malformed and excess members are
 * dropped and counted.
 *
 * @returns undefined when nothing is left
 */
export function passedOnBaggage(header: string | undefined, losses: BaggageLosses): string | undefined {
  if (header === undefined || header === '') return undefined;
  const members = cutText(header, MAX_BYTES + 1)
    .split(',')
    .map((member) => member.trim());
  // A member that was cut in the middle is dropped.
  if (header.length > MAX_BYTES) {
    members.pop();
    losses.baggageDropped++;
  }
  const given = members.filter((member) => member !== '');
  const kept = given.filter(isMember).slice(0, MAX_MEMBERS);
  losses.baggageDropped += given.length - kept.length;
  return kept.join(',') || undefined;
}

// A member: key, value, and properties (section 3.3.1). Taken apart before it is matched: one expression for all of it, with whitespace
// allowed between its parts, tries every way to share out the whitespace of a header, which takes minutes for some of 8 KiB.
function isMember(member: string): boolean {
  const end = member.indexOf(';');
  const [pair, properties] = end < 0 ? [member, ''] : [member.slice(0, end), member.slice(end + 1)];
  const at = pair.indexOf('=');
  return (
    at > 0 && KEY.test(pair.slice(0, at).trim()) && VALUE.test(pair.slice(at + 1).trim()) && PROPERTIES.test(properties)
  );
}
