import { isRecord } from '#base/records/plainValues.ts';

/** Number of characters of a question that are examined. */
const longestQuestion = 4000;
/** Shorter words (the, that, does) don't describe a topic. */
const shortestWord = 5;
/** Longer words that don't describe a topic either. */
const commonWords = new Set(['about', 'after', 'other', 'something', 'these', 'thing', 'there', 'where', 'which', 'works']);

/**
 * Replaces the choices in a schema's sample with those that share the most words with a question. Lists of the same length get the same
 * index, because a classifier's class IDs and names belong together. Without shared words, the sample stays as it is.
 */
export function applyChoices(sample: unknown, schema: unknown, question: string): unknown {
	if (!isRecord(sample) || !isRecord(schema) || !isRecord(schema['properties'])) {
		return sample;
	}
	const lists = Object.entries(schema['properties']).flatMap(([name, property]) => {
		const choices = isRecord(property) ? property['enum'] : undefined;
		return name in sample && Array.isArray(choices) && choices.every(choice => typeof choice === 'string') ? [{ name, choices }] : [];
	});
	const words = splitWords(question.slice(0, longestQuestion));
	const chosen = new Map<number, number>();
	for (const length of new Set(lists.map(({ choices }) => choices.length))) {
		const together = lists.filter(({ choices }) => choices.length === length);
		const shared = Array.from({ length }, (_, at) => countSharedWords(words, together.map(({ choices }) => choices[at]).join(' ')));
		const most = Math.max(0, ...shared);
		if (most > 0) {
			chosen.set(length, shared.indexOf(most));
		}
	}
	const entries = lists.flatMap(({ name, choices }) => {
		const at = chosen.get(choices.length);
		return at === undefined ? [] : [[name, choices[at]] as const];
	});
	return { ...sample, ...Object.fromEntries(entries) };
}

/** Counts the words of a choice that a text contains, also in longer or shorter forms. */
function countSharedWords(words: ReadonlySet<string>, choice: string): number {
	return [...splitWords(choice)].filter(own => [...words].some(word => word.startsWith(own) || own.startsWith(word))).length;
}

function splitWords(text: string): ReadonlySet<string> {
	const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
	return new Set(words.filter(word => word.length >= shortestWord && !commonWords.has(word)));
}
