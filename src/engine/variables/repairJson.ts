import { runInNewContext } from 'node:vm';
import { jsonrepair } from 'jsonrepair';

/** Characters that are repaired at most. */
const longestRepair = 32_000;
/** A repair takes few milliseconds, but cubic time for some texts: 8,000 characters can take seconds. These texts come from models and callers. */
const timeoutMs = 200;

/**
 * Reads JSON that is broken off, has comments, other quotes or the like.
 * @throws {Error} for a text that cannot be repaired, not in time, or is too long for it
 */
export function repairJson(text: string): unknown {
	if (text.length > longestRepair) {
		throw new Error(`not valid JSON, and over ${longestRepair} characters, which is the most that is repaired`);
	}
	// nothing of the text is run: only here can something that does not wait be ended
	return JSON.parse(runInNewContext('repair()', { repair: () => jsonrepair(text) }, { timeout: timeoutMs }));
}
