const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

/** A text, as a part of a tool's result or of a prompt. */
export const text = (words: string) => ({ type: 'text' as const, text: words });

/** One pixel. */
export const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };

/** One sample of silence. */
export const audio = { type: 'audio' as const, data: SILENCE, mimeType: 'audio/wav' };

/** A resource inside a result or a prompt. */
export const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});
