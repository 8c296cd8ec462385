import { expect, test } from '@jest/globals';
import { notesOn } from './status-reading.js';

const answer = { given: {}, method: 'GET', contentType: undefined, bytes: 0, json: undefined, cause: undefined, isExplained: false }; // prettier-ignore

test('an answer that wants credentials says where a token comes from', () => {
  const [note] = notesOn({ ...answer, status: 401 });
  expect(note).toContain('what the login route of the app answers, or generateJWT of fw/middleware/jwt signs');
});
