import { expect, test } from '@jest/globals';

type Opener = (url: string) => Promise<{ readonly driver: unknown }>;

/**
 * What opening does with the address of a server, before anything is sent.
 *
 * @param other - an address of another protocol that means the same
 */
export function serverUrlContract(protocol: string, open: Opener, other: string): void {
  test(`an address that is none of ${protocol} is refused before anything is sent`, async () => {
    for (const [given, got] of [
      [undefined, 'nothing'],
      ['', 'an empty text'],
      [5, 'the number 5'],
      ['user:secret@host', 'one of user:'],
      ['no address, but a secret', 'a string'],
      ['http://user:secret@host', 'one of http:'],
    ]) {
      const refused = open(given as string);
      await expect(refused).rejects.toMatchObject({ code: 'FW_ORM_OPTIONS', details: { option: 'url', got } });
      await expect(refused).rejects.toThrow(`expected a URL such as ${protocol}://user:password@host:`);
      await expect(refused).rejects.not.toThrow('secret');
    }
  });

  test(`an address of ${protocol} may have a percent sign that should have been encoded, but none for half a character`, async () => {
    const handle = await open(`${protocol}://ada:100%@host:1/shop`);
    expect(handle.driver).toEqual({ url: `${protocol}://ada:***@host:1/shop` });
    await expect(open(`${protocol}://ada:secret%e9@host:1/shop`)).rejects.toMatchObject({
      code: 'FW_ORM_OPTIONS',
      details: { option: 'url', got: 'one with a percent sign that stands for no character' },
    });
  });

  test(`what is shown of an address of ${protocol} has no password`, async () => {
    const handle = await open(`${protocol}://ada:a%3Ab@host:1/shop`);
    expect(handle.driver).toEqual({ url: `${protocol}://ada:***@host:1/shop` });
    expect((await open(other)).driver).toEqual({ url: other });
  });
}
