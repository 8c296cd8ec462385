import { cutText } from '../../../kernel/log/index.js';
import type { BaggageLosses } from './baggage.js';

/** Size that has to be passed on at least, and that is passed on at most (W3C Baggage, section 3.3.2). */
const MAX_BYTES = 8_192;
const MAX_MEMBERS = 64;

/** A member: key, value, and properties, which are passed on unread (section 3.3.1). */
const MEMBER =
  /^[\w!#$%&'*+.^`|~-]+[ \t]*=[ \t]*[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*(?:[ \t]*;[ \t]*[\x20-\x2b\x2d-\x7e]*)?$/;

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
  const kept = given.filter((member) => MEMBER.test(member)).slice(0, MAX_MEMBERS);
  losses.baggageDropped += given.length - kept.length;
  return kept.join(',') || undefined;
}
