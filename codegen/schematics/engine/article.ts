// Words that begin with the sound of "you" or "one" although spelled with a vowel; and words with a silent h.
const LIKE_A_CONSONANT = /^(?:uni(?!n|m)|us(?:e|u|a)|ut(?:i|e)|ur(?:i|a)|eu|one\b|once\b|ewe|url\b)/;
const LIKE_A_VOWEL = /^(?:[aeiou]|hour|honou?r|honest|heir)/;

/** The words with the article that English gives them: `a user`, `an order line`, `an hour`. */
export const withArticle = (words: string): string =>
  `${LIKE_A_VOWEL.test(words) && !LIKE_A_CONSONANT.test(words) ? 'an' : 'a'} ${words}`;
