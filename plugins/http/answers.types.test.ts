// Checked by the compiler alone: what a handler may answer where its route declares several answers.
import { Type } from 'typebox';
import { answer, type Router } from '../../kernel/index.js';

declare const router: Router;
declare const isBusy: boolean;
const Job = Type.Object({ id: Type.Integer(), at: Type.String({ format: 'date-time' }) });
const Ticket = Type.Object({ ticket: Type.String() });

router.post(
  '/jobs',
  {
    output: Job,
    status: 201,
    responses: {
      202: { output: Ticket, headers: Type.Object({ 'retry-after': Type.Integer() }) },
      303: { headers: Type.Object({ location: Type.String() }) },
      409: { description: 'There is one already' },
    },
  },
  async (ctx) => {
    if (ctx.path === '/a') return answer(202, { ticket: 'x' }, { headers: { 'retry-after': 5 } });
    if (ctx.path === '/b') return answer(303, undefined, { headers: { location: '/jobs/1' } });
    if (ctx.path === '/c') return answer(409);
    return { id: 1, at: new Date() };
  },
);
router.get('/set', { output: Job, responses: { 404: {} } }, (ctx) => {
  ctx.body = { id: 1 };
});
router.get('/plain', { responses: { 200: { output: Job }, 404: {} } }, () => ({ id: 1, at: 'now' }));
router.get(
  '/types',
  { responses: { 200: { content: { 'application/json': Job, 'text/csv': Type.String() } } } },
  (ctx) =>
    ctx.accepts('text/csv') === false ? answer(200, { id: 1, at: 'x' }) : answer(200, 'id\n1', { type: 'text/csv' }),
);

router.get('/lines', { responses: { 200: { content: { 'application/x-ndjson': Job } } } }, async function* () {
  yield { id: 1, at: new Date() };
});
// @ts-expect-error a line is another one
router.get('/x', { responses: { 200: { content: { 'application/x-ndjson': Job } } } }, async function* () {
  yield { id: 'x' };
});
// @ts-expect-error the route declares no 202
router.get('/x', { output: Job, responses: { 404: {} } }, () => answer(202, { ticket: 'x' }));
// @ts-expect-error the body of 202 is another one
router.get('/x', { output: Job, responses: { 202: { output: Ticket } } }, () => answer(202, { ticket: 7 }));
// @ts-expect-error what is returned plainly is the output
router.get('/x', { output: Job, responses: { 202: { output: Ticket } } }, () => ({ ticket: 'x' }));
// @ts-expect-error a header is missing
router.get('/x', { responses: { 303: { headers: Type.Object({ location: Type.String() }) } } }, () => answer(303));
// @ts-expect-error a media type that is not declared
router.get('/x', { responses: { 200: { content: { 'text/csv': Type.String() } } } }, () =>
  answer(200, 'x', { type: 'text/html' }),
);
// @ts-expect-error nothing is said of a success
router.get('/x', { responses: { 404: {} } }, () => ({ id: 1 }));
router.get('/x', { output: Job, responses: { 202: { output: Ticket } } }, () =>
  isBusy ? answer(202, { ticket: 'x' }) : { id: 1, at: 'x' },
);
