import { AgentText } from '#agentFile/agentText.ts';

/**
 * The published texts of the agents that an agent uses as tools, and of those that these use. Those that cannot be had are left out.
 * @param names of the agents that there are
 * @param read the text of a published version; `null` where none is
 */
export async function publishedTexts(
	text: string,
	names: readonly string[],
	read: (name: string) => Promise<string | null>,
): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>();
	const asked = new Set<string>();
	const texts = [text];
	for (const each of texts) {
		const used = usedAsTools(new AgentText(each).content);
		const named = names.filter(name => used.has(name) && !asked.has(name));
		const sources = await Promise.all(
			named.map(async name => {
				asked.add(name);
				return [name, await read(name).catch(() => null)] as const;
			}),
		);
		for (const [name, source] of sources) {
			if (source !== null) {
				found.set(name, source);
				texts.push(source);
			}
		}
	}
	return found;
}

/** What the tools of an agent that are agents are called: of tool nodes, and of the lists that nodes hold. */
function usedAsTools(content: unknown): ReadonlySet<unknown> {
	const found = new Set<unknown>();
	// by anchors a value can stand inside itself
	const seen = new Set<unknown>();
	const walk = [content];
	for (const value of walk) {
		if (typeof value !== 'object' || value === null || seen.has(value)) {
			continue;
		}
		seen.add(value);
		const { provider_type, type, provider_id, provider_name, provider } = value as Record<string, unknown>;
		if (provider_type === 'workflow' || type === 'workflow') {
			found.add(provider_id).add(provider_name).add(provider);
		}
		for (const inner of Object.values(value)) {
			walk.push(inner);
		}
	}
	return found;
}
