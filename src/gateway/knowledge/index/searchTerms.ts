/** Maximum number of search terms; more would hardly change the result. */
const maxTerms = 64;
/** Number of characters that search terms are taken from. A run of millions of them overflows the stack of the pattern. */
const maxQuestion = 10_000;

/** Scripts without spaces or with few marks between words, which are split into pairs of characters. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const pieces = new RegExp(`([${unspaced}々〆ー]+)|((?:(?![${unspaced}々〆ー])[\\p{L}\\p{N}\\p{M}])+)`, 'gu');

/**
 * Converts a text for the index. Words stay unchanged. A run of a script without spaces becomes its pairs of characters and its last
 * character, so that every character starts a word of the index.
 */
export function toIndexText(text: string): string {
	const words: string[] = [];
	for (const [, run, word] of text.matchAll(pieces)) {
		words.push(...(run === undefined ? [word as string] : [...toCharacterPairs(run), getLastCharacter(run)]));
	}
	return words.join(' ');
}

/**
 * Returns the search terms of a question, each as a phrase of an FTS5 query. They contain only letters and digits, so quotes, stars and
 * operators in the question have no effect. A single character matches all words of the index that start with it.
 */
export function getSearchTerms(question: string): readonly string[] {
	const terms = new Set<string>();
	for (const [, run, word] of question.slice(0, maxQuestion).toLowerCase().matchAll(pieces)) {
		if (run === undefined) {
			terms.add(`"${word}"`);
		} else if (getLastCharacter(run) === run) {
			terms.add(`"${run}"*`);
		} else {
			for (const pair of toCharacterPairs(run)) {
				terms.add(`"${pair}"`);
			}
		}
		if (terms.size >= maxTerms) {
			break;
		}
	}
	return [...terms].slice(0, maxTerms);
}

function toCharacterPairs(run: string): string[] {
	const characters = [...run];
	return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

function getLastCharacter(run: string): string {
	return [...run.slice(-2)].at(-1) as string;
}
