import { jsonrepair } from 'jsonrepair';

/**
 * The JSON object in a model's reply: models put text around it, code fences, or break off. `undefined`: there is none.
 */
export function jsonInReply(text: string): Readonly<Record<string, unknown>> | undefined {
	const plain = text.replace(/<think>[\s\S]*?<\/think>/g, '');
	const fenced = /```(?:json)?\s*\n([\s\S]*?)```/.exec(plain)?.[1];
	const from = plain.indexOf('{');
	const to = plain.lastIndexOf('}');
	const candidates = [fenced, from >= 0 && to > from ? plain.slice(from, to + 1) : undefined, from >= 0 ? plain.slice(from) : undefined];
	for (const candidate of candidates) {
		const found = candidate === undefined ? undefined : objectIn(candidate);
		if (found) {
			return found;
		}
	}
	return undefined;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
	for (const read of [JSON.parse, (broken: string) => JSON.parse(jsonrepair(broken))]) {
		try {
			const value: unknown = read(text);
			if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
				return value as Record<string, unknown>;
			}
		} catch {
			// the next way may read it
		}
	}
	return undefined;
}
