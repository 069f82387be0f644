/** Maximum number of alternatives that the braces of a pattern expand to. */
const mostAlternatives = 256;

const longestPattern = 4_096;

/** Thrown for a pattern that is invalid or expands to too many alternatives. */
export class PatternError extends Error {
	override readonly name = 'PatternError';
	readonly reason = 'pattern';
}

/** True if a path segment has wildcards. */
export function hasWildcards(segment: string): boolean {
	return /[*?[]/.test(segment);
}

/**
 * Expands the braces of a pattern: `{a,b}.json` to `a.json` and `b.json`. Throws {@link PatternError} if there are too many alternatives.
 */
export function expandBraces(pattern: string): readonly string[] {
	if (pattern.length > longestPattern) {
		throw new PatternError(`it has more than ${longestPattern} characters`);
	}
	let open = [pattern];
	const done: string[] = [];
	while (open.length > 0) {
		const next: string[] = [];
		for (const each of open) {
			// innermost braces first
			const end = each.indexOf('}');
			const start = each.lastIndexOf('{', Math.max(0, end));
			if (end >= 0 && each[start] === '{') {
				const [before, after] = [each.slice(0, start), each.slice(end + 1)];
				next.push(
					...each
						.slice(start + 1, end)
						.split(',')
						.map(choice => before + choice + after),
				);
			} else {
				done.push(each);
			}
		}
		if (next.length + done.length > mostAlternatives) {
			throw new PatternError(`its braces have more than ${mostAlternatives} alternatives`);
		}
		open = next;
	}
	return [...new Set(done)];
}

/**
 * True if a name matches one segment of a pattern: `*` matches any text, `?` one character, `[a-z]` and `[!a-z]` one of a set. The time is
 * bounded by the product of both lengths, so that no pattern can block the caller.
 */
export function matchesSegment(name: string, segment: string): boolean {
	const tokens = tokenizePattern(segment);
	const letters = [...name];
	let [at, token] = [0, 0];
	let star: { readonly token: number; at: number } | undefined;
	while (at < letters.length) {
		const wanted = tokens[token];
		if (wanted === '*') {
			star = { token: token++, at };
		} else if (wanted?.(letters[at]!)) {
			at++;
			token++;
		} else if (star) {
			// let the last star match one more letter
			at = ++star.at;
			token = star.token + 1;
		} else {
			return false;
		}
	}
	return tokens.slice(token).every(each => each === '*');
}

type Token = '*' | ((letter: string) => boolean);

function tokenizePattern(segment: string): Token[] {
	return [...segment.matchAll(/\[([!^]?)([^\]]{1,100})\]|[\s\S]/gu)].map(([whole, not, set]): Token => {
		if (whole === '*') {
			return '*';
		}
		if (whole === '?') {
			return () => true;
		}
		return set === undefined ? letter => letter === whole : letter => isInCharacterSet(letter, set) === (not === '');
	});
}

function isInCharacterSet(letter: string, set: string): boolean {
	return [...set.matchAll(/([\s\S])-([\s\S])|([\s\S])/gu)].some(([, from, to, one]) =>
		one === undefined ? letter >= from! && letter <= to! : letter === one,
	);
}
