/** Name of a conversation without a name. */
export const newConversationName = 'New conversation';

const maxLength = 50;

/** Creates a name from the user's first query: its first line, cut at a word. No model is used, so it's free and always the same. */
export function createConversationName(query: string): string {
	const line =
		query
			.split('\n')
			.map(each => each.trim())
			.find(each => each !== '') ?? '';
	const characters = [...line.replaceAll(/\s+/g, ' ')];
	if (characters.length <= maxLength) {
		return characters.join('') || newConversationName;
	}
	const cut = characters.slice(0, maxLength - 1).join('');
	const word = cut.replace(/\s\S*$/, '');
	return `${word.length > maxLength / 2 ? word : cut}…`;
}
