import type { AgentTool } from './agentOrder.ts';

/** Maximum length of a tool name. Every model service accepts names of this length. */
const longest = 64;

/**
 * Renames tools so that models can call them: services accept letters, digits, _ and -, but no digit at the start and no duplicates. The
 * later of two duplicates gets its provider's name as a prefix.
 */
export function assignUniqueNames(tools: readonly AgentTool[]): readonly AgentTool[] {
	const names = new Set<string>();
	return tools.map(tool => {
		let name = toCallableName(tool.name);
		for (let count = 1; names.has(name); count++) {
			name = toCallableName(`${tool.provider}_${tool.name}`, count === 1 ? '' : `_${count}`);
		}
		names.add(name);
		return name === tool.name ? tool : { ...tool, name };
	});
}

function toCallableName(name: string, end = ''): string {
	const plain = name.replace(/[^\w-]/g, '_').replace(/^(?=[^a-zA-Z_]|$)/, '_');
	return plain.slice(0, longest - end.length) + end;
}
