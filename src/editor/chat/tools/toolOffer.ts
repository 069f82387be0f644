import type { DeclaredTool } from '../endpoints/toolDeclarations.ts';
import type { ChatTool } from './chatTool.ts';

/** Longest name that every service takes. */
const mostLetters = 64;

/** Tools under the names that a model calls them by. */
export type ToolOffer = ReadonlyMap<string, ChatTool>;

/** Gives each tool a name that every service takes and that none of `taken` and of the others has. */
export function toolOffer(tools: readonly ChatTool[], taken: ReadonlySet<string>): ToolOffer {
	const offer = new Map<string, ChatTool>();
	for (const tool of tools) {
		const name = legalName(tool);
		let own = name;
		for (let count = 2; offer.has(own) || taken.has(own); count++) {
			const end = `_${count}`;
			own = name.slice(0, mostLetters - end.length) + end;
		}
		offer.set(own, tool);
	}
	return offer;
}

/** The tools of an offer, as requests declare them. */
export function declaredTools(offer: ToolOffer): DeclaredTool[] {
	return [...offer].map(([name, { description, inputSchema }]) => ({ name, description, inputSchema }));
}

/** Letters, digits, `_` and `-`, a letter first; agents say that they are some. */
function legalName({ chosen: { kind, name } }: ChatTool): string {
	const legal = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[^A-Za-z]+|(?<!_)_+$/g, '');
	return (kind === 'agent' ? `agent_${legal}`.replace(/_$/, '') : legal || 'tool').slice(0, mostLetters);
}
