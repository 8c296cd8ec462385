import { stemmer } from 'stemmer';

// Words of questions that say nothing about what is asked for.
const EMPTY_WORDS = new Set(
  (
    'a an and are as at be by can cannot could do does define for from fw framework get has have how i if in into is it ' +
    'its make me my need of on one or possible so some that the their them then there this to two use using want was way ' +
    'we what when where which who why will with would you your ' +
    // Where somebody comes from is not what is asked for.
    'prisma drizzle typeorm sequelize nestjs laravel eloquent rails activerecord django'
  ).split(' '),
);

// As two words it would be lost: `in` is a stop word, and `log` is what a program writes.
const LOGIN = /\b(?:log|logged|sign|signed)[ -]in\b/gi;

/** The words of a text: `softDelete` is itself and its parts, `FW_ORM_NO_ROWS` too; `N+1` is one, and "log in" is `login` too. */
export function wordsOf(text: string): string[] {
  return [...separate(text), ...(text.match(LOGIN) ?? []).map(() => 'login')];
}

function separate(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}_$]+(?:\+\d+)?/gu)].flatMap(([word]) => {
    const parts = word.split(/_+|\$|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter(Boolean);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** The stem of a word, as the index compares it; false for a stop word. */
export function termOf(word: string): string | false {
  const lower = word.toLowerCase();
  return EMPTY_WORDS.has(lower) ? false : stemmer(lower);
}

/** The stems of a text. */
export function termsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).flatMap((word) => termOf(word) || []));
}
