import { cutText } from '#base/text/cutText.ts';
import type { ChatPart, ReplyCitation } from '#pages/chat/transcript/transcript.ts';

/** A step of an agent, as a reply stores it. */
export type AgentStep = Omit<Extract<ChatPart, { kind: 'step' }>, 'kind'>;

/** Maximum length of a step's thought, input or output, in characters. */
const longestStep = 200_000;
/** Maximum length of a name, in characters. */
const longestName = 200;

/**
 * Parses a step of an agent from an `agent_thought` event or a message. Returns `undefined` if the value isn't a step. Joins the names of
 * the step's tools with commas.
 */
export function readAgentStep(thought: unknown): AgentStep | undefined {
	const { id, tool, thought: text, tool_input: input, observation } = (thought ?? {}) as Readonly<Record<string, unknown>>;
	if (typeof id !== 'string' || id === '') {
		return undefined;
	}
	return {
		id,
		tool: cutText(toFieldText(tool).split(';').filter(Boolean).join(', '), longestName),
		text: cutText(toFieldText(text), longestStep),
		input: cutText(toFieldText(input), longestStep),
		output: cutText(toFieldText(observation), longestStep),
	};
}

/** Converts a field to text, because some services send values instead of JSON strings. */
function toFieldText(value: unknown): string {
	return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Maximum length of a passage in characters, and maximum numbers of passages per document and documents per reply. */
const longestPassage = 500;
const mostPassages = 5;
const mostDocuments = 50;

/** Returns the source documents of a reply without duplicates, each with its passages and best score. */
export function readCitations(resources: unknown): ReplyCitation[] {
	const documents = new Map<string, { citation: ReplyCitation; passages: string[] }>();
	for (const resource of Array.isArray(resources) ? resources : []) {
		const { document_name: title, dataset_name: from, content, score } = (resource ?? {}) as Readonly<Record<string, unknown>>;
		if (typeof title !== 'string' || title === '') {
			continue;
		}
		const key = JSON.stringify([from, title]);
		const known = documents.get(key);
		const passages = known?.passages ?? [];
		if (typeof content === 'string' && content.trim() !== '' && passages.length < mostPassages) {
			passages.push(cutText(content, longestPassage));
		}
		const best = Math.max(...[known?.citation.score, score].filter(each => typeof each === 'number'));
		documents.set(key, {
			passages,
			citation: {
				title: cutText(title, longestName),
				...(typeof from === 'string' && from !== '' && { from: cutText(from, longestName) }),
				...(Number.isFinite(best) && { score: best }),
				...(passages.length > 0 && { quote: passages.join('\n\n') }),
			},
		});
		if (documents.size === mostDocuments) {
			break;
		}
	}
	return [...documents.values()].map(({ citation }) => citation);
}
