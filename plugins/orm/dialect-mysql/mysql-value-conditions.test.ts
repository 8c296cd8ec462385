import { describe } from '@jest/globals';
import { valueConditionsContract } from '../contract/value-conditions.contract.js';
import { mysql } from './index.js';

describe('values of columns on MySQL', () => {
  valueConditionsContract(mysql, [
    ["`state` in ('a','it\\'s','b\\\\s','new\\nline')", ['a', "it's", 'b\\s', 'new\nline']],
    ['`state` = 1', [1]],
    ["(`state` in (_utf8mb4\\'a\\',_utf8mb4\\'it\\\\\\'s\\',_utf8mb4\\'b\\\\\\\\s\\'))", ['a', "it's", 'b\\s']],
  ]);
});
