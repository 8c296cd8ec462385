import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { connectServer } from '../protocol/sdk-server.js';
import { newScope, unscopedScope } from '../scope/scope.js';
import { connected } from '../testing/clients.js';
import { echoTool, testPlane } from '../testing/fixture-plane.js';

const TEMPLATE = 'fw://docs/{+page}{#section}';

const TOOLS = [echoTool('echo_knowledge', 'knowledge'), echoTool('echo_fleet', 'fleet')];

async function clientOf(scope = unscopedScope()): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await connectServer(testPlane(TOOLS, { scope }), far);
  return connected(near);
}

let client: Client;
beforeAll(async () => {
  client = await clientOf();
});
afterAll(() => client.close());

describe('the documentation as resources', () => {
  test('is declared, listed and read, a page and a part of one', async () => {
    expect(client.getServerCapabilities()).toMatchObject({ resources: {}, completions: {} });
    const { resources } = await client.listResources();
    expect(resources).toContainEqual({
      uri: 'fw://docs/guides/orm.md',
      name: 'How to store rows with the ORM',
      mimeType: 'text/markdown',
    });
    const whole = await client.readResource({ uri: 'fw://docs/guides/orm.md' });
    expect(whole.contents).toMatchObject([{ text: expect.stringMatching(/^# How to store rows with the ORM\n/) }]);
    const part = await client.readResource({ uri: 'fw://docs/guides/orm-plugins.md#soft-delete' });
    expect(part.contents).toMatchObject([{ text: expect.stringMatching(/^## Soft delete\n[\s\S]*withDeleted/) }]);
  });

  test.each([
    'fw://docs/guides/nothing.md',
    'fw://docs/guides/orm.md#nothing',
    'fw://docs/../package.json',
    'file:///etc/passwd',
  ])('has no %s', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
  });

  test('completes pages, and the sections of a page', async () => {
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ uriTemplate: TEMPLATE }]);
    const ref = { type: 'ref/resource' as const, uri: TEMPLATE };
    const pages = await client.complete({ ref, argument: { name: 'page', value: 'orm-pl' } });
    expect(pages.completion).toEqual({ values: ['guides/orm-plugins.md'], total: 1, hasMore: false });
    const sections = await client.complete({
      ref,
      argument: { name: 'section', value: 'soft' },
      context: { arguments: { page: 'guides/orm-plugins.md' } },
    });
    expect(sections.completion.values).toContain('soft-delete');
    await expect(
      client.complete({ ref: { ...ref, uri: 'fw://other' }, argument: { name: 'page', value: '' } }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  test('is not there for a credential that does not reach the tools that search it', async () => {
    const other = await clientOf(newScope('fleet'));
    expect(other.getServerCapabilities()).not.toHaveProperty('resources');
    await expect(
      other.request({ method: 'resources/list' }, { parse: (value: unknown) => value } as never),
    ).rejects.toMatchObject({
      code: -32601,
    });
    await other.close();
  });
});
