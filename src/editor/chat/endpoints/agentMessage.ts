import { cutText } from '#base/text/cutText.ts';
import type { ChatPart, ReplyCitation } from '#pages/chat/transcript/transcript.ts';

/** A step of an agent as a reply keeps it. */
export type AgentStep = Omit<Extract<ChatPart, { kind: 'step' }>, 'kind'>;

/** Most characters that are kept of what a step thought, gave and got. */
const longestStep = 200_000;
/** Most characters of a name. */
const longestName = 200;

/** A round of an agent, of an `agent_thought` or of those of a message; `undefined` for what is none. Several tools of one round are named together. */
export function readAgentStep(thought: unknown): AgentStep | undefined {
	const { id, tool, thought: text, tool_input: input, observation } = (thought ?? {}) as Readonly<Record<string, unknown>>;
	if (typeof id !== 'string' || id === '') {
		return undefined;
	}
	return {
		id,
		tool: cutText(textOf(tool).split(';').filter(Boolean).join(', '), longestName),
		text: cutText(textOf(text), longestStep),
		input: cutText(textOf(input), longestStep),
		output: cutText(textOf(observation), longestStep),
	};
}

/** Services send some of these as values, not as their JSON. */
function textOf(value: unknown): string {
	return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Most characters that are kept of a passage, and most passages of a document and documents of a reply. */
const longestPassage = 500;
const mostPassages = 5;
const mostDocuments = 50;

/** Documents that a reply was made with, each once, with its passages and the best of their scores. */
export function citationsOf(resources: unknown): ReplyCitation[] {
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
