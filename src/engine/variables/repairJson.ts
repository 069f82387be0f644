import { runInNewContext } from 'node:vm';
import { jsonrepair } from 'jsonrepair';

/** Maximum length of a string to repair. */
const longestRepair = 32_000;
/**
 * Time limit of a repair, which usually takes a few milliseconds. Some input takes cubic time: 8,000 characters can take seconds. The input
 * comes from models and callers.
 */
const timeoutMs = 200;

/**
 * Parses JSON that is truncated or contains comments, other quotes or the like.
 * @throws {Error} if it is too long, or can't be repaired in time
 */
export function repairJson(text: string): unknown {
	if (text.length > longestRepair) {
		throw new Error(`not valid JSON, and too long to repair (more than ${longestRepair} characters)`);
	}
	// none of the text is executed: a VM context is the only way to time out synchronous code
	return JSON.parse(runInNewContext('repair()', { repair: () => jsonrepair(text) }, { timeout: timeoutMs }));
}
