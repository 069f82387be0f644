/** Joins translated sentences, with a space unless the language ends its sentences with `。`. */
export function joinSentences(...sentences: readonly string[]): string {
	return sentences.join(' ').replaceAll('。 ', '。');
}
