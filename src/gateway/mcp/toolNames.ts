import { createHash } from 'node:crypto';

/** Maximum characters of a name. Model services accept no more, and clients may add the server's name as a prefix. */
const longest = 64;

/**
 * Creates unique tool names for agents from letters, digits, `_` and `-`. Valid names stay unchanged. If several agents would get the same
 * name, the first one in the list gets it, and the others get a part of their hash appended. Returns agent names by tool name, in the order
 * of the agents.
 */
export function createToolNames(agents: readonly string[]): ReadonlyMap<string, string> {
	const taken = new Set(agents.filter(isToolName));
	const names = new Map<string, string>();
	for (const agent of agents) {
		const name = isToolName(agent) ? agent : createToolName(agent, taken);
		taken.add(name);
		names.set(name, agent);
	}
	return names;
}

function isToolName(agent: string): boolean {
	return agent.length <= longest && /^[A-Za-z0-9_-]+$/.test(agent);
}

function createToolName(agent: string, taken: ReadonlySet<string>): string {
	const plain = agent
		.normalize('NFKD')
		.replaceAll(/\p{M}/gu, '')
		.replaceAll(/[^A-Za-z0-9_-]+/g, '_')
		.replaceAll(/^_+|(?<!_)_+$/g, '');
	if (plain !== '' && plain.length <= longest && !taken.has(plain)) {
		return plain;
	}
	const digest = createHash('sha256').update(agent).digest('hex');
	const names = [8, 40].map(length => `${(plain || 'agent').slice(0, longest - length - 1)}_${digest.slice(0, length)}`) as [
		string,
		string,
	];
	// an agent can have the name of another one's tool, and calls of that tool would run it
	return taken.has(names[0]) ? names[1] : names[0];
}
