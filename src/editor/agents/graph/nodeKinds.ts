import { addableTypes } from '#agentFile/edits/newNode.ts';
import type { NodeKind } from '#pages/graph/picture/graphProtocol.ts';

/** Words that are no words. */
const initials: Readonly<Record<string, string>> = { llm: 'LLM', http: 'HTTP' };

/** Types of nodes that can be added to a graph. `help`: what each does (media/agent.schema.json). */
export function nodeKinds(help: ReadonlyMap<string, string>): readonly NodeKind[] {
	return addableTypes().map(type => ({ type, title: kindTitle(type), help: help.get(type) ?? '' }));
}

/** A type as people say it: `http-request` is `HTTP request`. */
function kindTitle(type: string): string {
	const words = type.split('-').map(word => initials[word] ?? word);
	const text = words.join(' ');
	return text.charAt(0).toUpperCase() + text.slice(1);
}
