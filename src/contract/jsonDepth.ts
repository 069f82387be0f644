/** Nesting limit of JSON from outside: deeper than any tool's schema, far below the stack limit of parsers and serializers. */
export const maxJsonDepth = 500;

/** True if the value of a JSON text is nested too deeply. */
export function isTooDeepJson(text: string, value: unknown): boolean {
	// a level takes at least two characters
	return text.length > 2 * maxJsonDepth && isDeeperThan(value, maxJsonDepth);
}

/** True if a value is nested deeper than `depth`. Iterative, because recursion would fail for deep values. */
function isDeeperThan(value: unknown, depth: number): boolean {
	let level = [value];
	for (let i = 0; level.length > 0; i++) {
		const next: unknown[] = [];
		for (const each of level) {
			if (typeof each !== 'object' || each === null) {
				continue;
			}
			if (i === depth) {
				return true;
			}
			for (const inner of Array.isArray(each) ? each : Object.values(each)) {
				if (typeof inner === 'object' && inner !== null) {
					next.push(inner);
				}
			}
		}
		level = next;
	}
	return false;
}
