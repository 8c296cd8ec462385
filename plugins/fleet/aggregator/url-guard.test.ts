import { describe, expect, test } from '@jest/globals';
import { guardUrl } from './url-guard.js';

const resolvesTo =
  (address: string, family = 4) =>
  () =>
    Promise.resolve([{ address, family }]);

describe('the URL guard', () => {
  test.each([
    'ftp://host/x', 'file:///etc/passwd', 'http://user:pw@host/', 'nonsense', 'http://metadata.google.internal/', 'http://metadata/',
    'http://instance-data/', 'http://0.0.0.0/', 'http://[::]/', 'http://169.254.169.254/latest', 'http://[fe80::1]/',
    'http://224.0.0.1/', 'http://[ff02::1]/', 'http://100.100.100.200/', 'http://2852039166/', 'http://0xA9FEA9FE/',
    'http://0251.0376.0251.0376/', 'http://[::ffff:169.254.169.254]/', 'http://[fd00:ec2::254]/', 'http://[fd20:ce::254]/', 'http://[64:ff9b::169.254.169.254]/', 'http://[64:ff9b::]/',
    'http://metadata.google.internal./',
  ])('refuses %s', async (url) => {
    await expect(guardUrl(url, [], resolvesTo('10.0.0.1'))).rejects.toMatchObject({ code: 'FW_FLEET_URL_REFUSED' });
  }); // prettier-ignore

  test.each([
    'http://127.0.0.1:3000/openapi.json',
    'http://10.1.2.3/',
    'http://[::1]:8080/',
    'http://[64:ff9b::10.1.2.3]/',
    'https://orders/openapi.json',
  ])('allows %s, where services live', async (url) => {
    await expect(guardUrl(url, [], resolvesTo('10.0.0.1'))).resolves.toMatchObject({ url: new URL(url) });
  });

  test('refuses a name that means a forbidden address, and connects to what it checked', async () => {
    await expect(guardUrl('http://orders/', [], resolvesTo('169.254.169.254'))).rejects.toThrow(/reserved address/);
    await expect(guardUrl('http://orders/', [], resolvesTo('fe80::1%eth0', 6))).rejects.toThrow(/reserved address/);
    await expect(guardUrl('http://orders/', [], resolvesTo('10.0.0.9'))).resolves.toMatchObject({
      address: '10.0.0.9',
    });
  });

  test('with a list allows what is on it, to the port', async () => {
    const allowed = ['orders', '10.0.0.1:3000'];
    await expect(guardUrl('http://orders:99/', allowed, resolvesTo('10.0.0.1'))).resolves.toBeDefined();
    await expect(guardUrl('http://10.0.0.1:3000/', allowed)).resolves.toBeDefined();
    await expect(guardUrl('http://10.0.0.1:3001/', allowed)).rejects.toThrow(/not in fetchAllowedHosts/);
    await expect(guardUrl('http://auth/', allowed, resolvesTo('10.0.0.1'))).rejects.toThrow(/not in fetchAllowedHosts/);
  });
});
