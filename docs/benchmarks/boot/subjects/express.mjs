import express from 'express';

const app = express().set('etag', false).disable('x-powered-by');
app.get('/hello/:name', (request, response) => response.json({ hello: request.params.name }));
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
