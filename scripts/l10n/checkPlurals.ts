import type { ExtractedString } from './extractStrings.ts';

/** A number and what it counts, except verbs (`{0} needs`) and words that only count constants above 1 or what exceeds one. */
const counted =
	/(?<!(?:more|larger) than |limit is |total of )\{\d\} ((?:[a-z]+ )?(?!aliases|characters|entries|levels|seconds|values|less|needs|refers|responds|shows)[a-z]{3,}s)\b/g;

const exceptions: ReadonlySet<string> = new Set([
	// the singular has a name, an article or a word instead of a number
	"'{0}' has {1} warnings. Run it anyway?",
	"Remove the connection '{0}' and its sign-in? The connections of its {1} apps and their keys will also be removed.",
	'Delete {0} conversations and all their messages?',
	'Delete {0} files?',
	'Remove {0} connections and their keys?',
	'Remove {0} runs from the history?',
	'Used {0} times',
	// the number is always above 1
	"'{0}' already has {1} keys, the most that Dify allows. Delete a key in Dify first.",
	"Assumes a context window of {0} tokens because the service doesn't report its size.",
	'Last {0} days',
	'None of the {0} loaded runs match.',
	'The model called tools {0} times in this reply, which is the limit. Send a message to continue.',
	'{0} ({1} files have problems of this kind.)',
	'{0} attempts',
	'{0} nodes selected',
	'{0} of {1} tokens in the context window ({2}%)',
	'{0} times',
]);

/** Returns messages with a number and a plural noun, such as `{0} files`, without a message for `1 file` in the same source file. */
export function findMissingSingulars(strings: Iterable<Pick<ExtractedString, 'message' | 'files'>>): readonly string[] {
	const all = [...strings];
	return all.flatMap(({ message, files }) => {
		const singulars = [...message.matchAll(counted)].map(([, noun = '']) => `1 ${noun.replace(/ies$/, 'y').replace(/s$/, '')}`);
		const hasTwin = (singular: string) =>
			all.some(other => other.message.includes(singular) && other.files.some(file => files.includes(file)));
		return exceptions.has(message) || singulars.every(hasTwin) ? [] : [message];
	});
}
