import { nodeKinds } from '#agentFile/nodeKinds/nodeKinds.ts';
import type { AddableKind } from '#pages/graph/picture/graphProtocol.ts';

/** Words that are no words. */
const initials: Readonly<Record<string, string>> = { llm: 'LLM', http: 'HTTP' };

/** Types of nodes that can be added to a graph. `help`: what each does (media/agent.schema.json). */
export function addableKinds(help: ReadonlyMap<string, string>): readonly AddableKind[] {
	return nodeKinds.flatMap(({ type, icon, snippet }) =>
		snippet ? [{ type, icon, title: kindTitle(type), help: help.get(type) ?? '' }] : [],
	);
}

/** A type as people say it: `http-request` is `HTTP request`. */
function kindTitle(type: string): string {
	const words = type.split('-').map(word => initials[word] ?? word);
	const text = words.join(' ');
	return text.charAt(0).toUpperCase() + text.slice(1);
}
