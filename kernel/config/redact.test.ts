import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { redact } from './redact.js';

describe('redact', () => {
  test('hides what the schema marks, what sounds secret, and passwords in URLs', () => {
    const schema = Type.Object({
      pin: Type.Number({ secret: true }),
      nested: Type.Object({ key: Type.String({ secret: true }) }),
    });
    const value = {
      pin: 1234,
      nested: { key: 'k', open: 'o' },
      apiKey: 'a',
      ingestToken: '',
      urls: ['postgres://u:p@h/d', 'http://h/'],
    };
    expect(redact(value, schema)).toEqual({
      pin: '[REDACTED]',
      nested: { key: '[REDACTED]', open: 'o' },
      apiKey: '[REDACTED]',
      ingestToken: '[REDACTED]',
      urls: ['postgres://u:[REDACTED]@h/d', 'http://h/'],
    });
  });

  test('keeps what is not secret, and tells callbacks apart', () => {
    expect(redact({ maxTokens: 5, enabled: false, none: null, onError: () => {} })).toEqual({
      maxTokens: 5,
      enabled: false,
      none: null,
      onError: '[function]',
    });
  });
});
