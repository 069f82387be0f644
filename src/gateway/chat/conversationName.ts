import { cutToLimit } from '#base/text/cutText.ts';

/** Name of a conversation that the user hasn't named. */
export const newConversationName = 'New conversation';

const maxLength = 50;
/** Number of characters that the name is created from, because a query can have megabytes. */
const readLength = 1_000;

/** Creates a name from the user's first query: its first line, cut at a word. Doesn't use a model, so it's free and deterministic. */
export function createConversationName(query: string): string {
	const [line = ''] = cutToLimit(query.trimStart(), readLength).split('\n');
	const characters = [...line.trim().replaceAll(/\s+/g, ' ')];
	if (characters.length <= maxLength) {
		return characters.join('') || newConversationName;
	}
	const cut = characters.slice(0, maxLength - 1).join('');
	const word = cut.replace(/\s\S*$/, '');
	return `${word.length > maxLength / 2 ? word : cut}…`;
}
