import { createHash } from 'node:crypto';

/** Characters of a name: models' services take as many, where clients put the server's name before it. */
const longest = 64;

/**
 * Names of tools for names of agents: each a letter, a digit, `_` or `-`, and no two the same. A name that is one already is left as it is; of those that would
 * become the same, the first in the list has it, and the others have a part of their digest.
 * @returns names of agents by names of tools, in the order of the agents
 */
export function toolNames(agents: readonly string[]): ReadonlyMap<string, string> {
	const taken = new Set(agents.filter(isName));
	const names = new Map<string, string>();
	for (const agent of agents) {
		const name = isName(agent) ? agent : freeName(agent, taken);
		taken.add(name);
		names.set(name, agent);
	}
	return names;
}

function isName(agent: string): boolean {
	return agent.length <= longest && /^[A-Za-z0-9_-]+$/.test(agent);
}

function freeName(agent: string, taken: ReadonlySet<string>): string {
	const plain = agent
		.normalize('NFKD')
		.replaceAll(/\p{M}/gu, '')
		.replaceAll(/[^A-Za-z0-9_-]+/g, '_')
		.replaceAll(/^_+|(?<!_)_+$/g, '');
	if (plain !== '' && plain.length <= longest && !taken.has(plain)) {
		return plain;
	}
	const digest = createHash('sha256').update(agent).digest('hex').slice(0, 8);
	return `${(plain || 'agent').slice(0, longest - digest.length - 1)}_${digest}`;
}
