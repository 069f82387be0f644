import { jsonrepair } from 'jsonrepair';

/** Characters that are repaired at most: the repair takes quadratic time on some texts, and these come from models and callers. */
const longestRepair = 32_000;

/** Reads JSON that is broken off, has comments, other quotes or the like. @throws {Error} for a text that cannot be repaired, or is too long for it */
export function repairJson(text: string): unknown {
	if (text.length > longestRepair) {
		throw new Error(`not valid JSON, and over ${longestRepair} characters, which is the most that is repaired`);
	}
	return JSON.parse(jsonrepair(text));
}
