/** `Sun, 06 Nov 1994 08:49:37 GMT`, and with the obsolete `Sunday, 06-Nov-94`. */
const IN_GMT = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
/** `Sun Nov  6 08:49:37 1994`, which is obsolete, and in UTC though it does not say so. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Milliseconds of an HTTP-date (RFC 9110, section 5.6.7); undefined for an invalid one, which has to be ignored. */
export function httpDate(text = ''): number | undefined {
  const date = IN_GMT.test(text) ? Date.parse(text) : ASCTIME.test(text) ? Date.parse(`${text} GMT`) : NaN;
  return Number.isNaN(date) ? undefined : date;
}
