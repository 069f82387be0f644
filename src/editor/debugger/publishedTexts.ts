import { AgentText } from '#agentFile/agentText.ts';
/**
 * Reads the published texts of the agents that an agent uses as tools, directly or through other tools. Skips those that can't be read.
 * @param names names of all agents of the gateway
 * @param read returns the text of a published version, or `null` if there is none
 */
export async function readPublishedTexts(
	text: string,
	names: readonly string[],
	read: (name: string) => Promise<string | null>,
): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>();
	const asked = new Set<string>();
	const texts = [text];
	for (const each of texts) {
		const used = listToolNames(new AgentText(each).content);
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

/** Collects the names of agents that tool nodes or the tool lists of other nodes use. */
function listToolNames(content: unknown): ReadonlySet<unknown> {
	const found = new Set<unknown>();
	// because of YAML anchors, a value can contain itself
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
