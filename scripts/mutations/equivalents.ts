/**
 * Mutations that change nothing that a caller or user could notice, with the reasons. The key is the file and the changed line, as the
 * table prints them.
 */
export const equivalents: Readonly<Record<string, string>> = {
	'src/agentFile/agentText.ts: const [from, to] = range ?? [0, 1]; → const [from, to] = range ?? [1, 1];':
		'the parser gives a range to each node that it reads; the default is for its type only',
	'src/engine/nodes/model/replyJson.ts: left -= (to < 0 ? reply.length : to) - from + costOfTry; → left -= (to < 1 ? reply.length : to) - from + costOfTry;':
		'a closing bracket is never at the start of the text',
	'src/pages/graph/picture/pictureChange.ts: let next = 0; → let next = 1;':
		'only a guess where the first item was: an item elsewhere is found by the map',
};
