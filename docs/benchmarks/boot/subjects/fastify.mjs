import { fastify } from 'fastify';

const app = fastify();
app.get('/hello/:name', async (request) => ({ hello: request.params.name }));
console.log(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
