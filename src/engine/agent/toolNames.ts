import type { AgentTool } from './agentOrder.ts';

/** Characters of a tool's name that every model's service takes. */
const longest = 64;

/**
 * Tools with names that models can call them by: services take letters, digits, _ and -, begin with no digit, and refuse two of one name. The later of two
 * gets its provider's name too.
 */
export function withOwnNames(tools: readonly AgentTool[]): readonly AgentTool[] {
	const names = new Set<string>();
	return tools.map(tool => {
		let name = callable(tool.name);
		for (let count = 1; names.has(name); count++) {
			name = callable(`${tool.provider}_${tool.name}`, count === 1 ? '' : `_${count}`);
		}
		names.add(name);
		return name === tool.name ? tool : { ...tool, name };
	});
}

function callable(name: string, end = ''): string {
	const plain = name.replace(/[^\w-]/g, '_').replace(/^(?=[^a-zA-Z_]|$)/, '_');
	return plain.slice(0, longest - end.length) + end;
}
