import type { DeclaredTool } from '../endpoints/toolDeclarations.ts';
import type { ChatTool } from './chatTool.ts';

/** Maximum length of a tool name that every service accepts. */
const mostLetters = 64;

/** Tools by the names that models use to call them. */
export type ToolOffer = ReadonlyMap<string, ChatTool>;

/** Gives each tool a unique name that every service accepts and that isn't in `taken`. */
export function createToolOffer(tools: readonly ChatTool[], taken: ReadonlySet<string>): ToolOffer {
	const offer = new Map<string, ChatTool>();
	for (const tool of tools) {
		const name = toLegalName(tool);
		let own = name;
		for (let count = 2; offer.has(own) || taken.has(own); count++) {
			const end = `_${count}`;
			own = name.slice(0, mostLetters - end.length) + end;
		}
		offer.set(own, tool);
	}
	return offer;
}

/** Returns declarations of the offered tools for a request. */
export function listDeclaredTools(offer: ToolOffer): DeclaredTool[] {
	return [...offer].map(([name, { description, inputSchema }]) => ({ name, description, inputSchema }));
}

/** Returns a name of letters, digits, `_` and `-` that starts with a letter. Agents' names get a prefix. */
function toLegalName({ chosen: { kind, name } }: ChatTool): string {
	const legal = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[^A-Za-z]+|(?<!_)_+$/g, '');
	return (kind === 'agent' ? `agent_${legal}`.replace(/_$/, '') : legal || 'tool').slice(0, mostLetters);
}
