/** Tokens of one call. */
export interface TokenUsage {
	/** Of the prompt, {@link cached} among them. */
	readonly input: number;
	/** Of the prompt, those that the service read from a cache of its own. */
	readonly cached: number;
	/** Of the reply, with those of its reasoning. */
	readonly output: number;
}

/**
 * Tokens of a reply of any protocol, from the pieces of it that have been kept: the fields `usage` and `usageMetadata`, of which later ones count before
 * earlier ones. Undefined where the reply tells of none.
 */
export function usageIn(pieces: readonly Buffer[]): TokenUsage | undefined {
	const found: Record<string, unknown> = {};
	for (const piece of pieces) {
		for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, at + mark.length)) {
			merge(found, objectAt(piece, at));
		}
	}
	const number = (...names: readonly string[]) =>
		names.map(name => found[name]).find(value => typeof value === 'number') as number | undefined;
	const input = number('input_tokens', 'prompt_tokens', 'promptTokenCount');
	if (input === undefined) {
		return undefined;
	}
	// Anthropic counts what was cached beside the rest, the others among it
	const anthropic = number('cache_read_input_tokens');
	const cached = anthropic ?? number('cached_tokens', 'cachedContentTokenCount') ?? 0;
	const output =
		number('output_tokens', 'completion_tokens') ?? (number('candidatesTokenCount') ?? 0) + (number('thoughtsTokenCount') ?? 0);
	return { input: anthropic === undefined ? input : input + anthropic + (number('cache_creation_input_tokens') ?? 0), cached, output };
}

/** In front of both names; within a text of the reply its quote is escaped. */
const mark = Buffer.from('"usage');
const openings = /^"usage(?:Metadata)?"\s*:\s*(?=\{)/;
/** More than any service tells. */
const longest = 4_000;

function objectAt(piece: Buffer, at: number): unknown {
	if (piece[at - 1] === backslash) {
		return undefined;
	}
	const text = piece.toString('latin1', at, at + longest);
	const start = openings.exec(text)?.[0].length ?? text.length;
	for (let i = start, depth = 0; i < text.length; i++) {
		depth += text[i] === '{' ? 1 : text[i] === '}' ? -1 : 0;
		if (depth === 0) {
			try {
				return JSON.parse(text.slice(start, i + 1));
			} catch {
				return undefined;
			}
		}
	}
	return undefined;
}

const backslash = 0x5c;

/** Takes the numbers of an object and of the objects in it; a null says nothing. */
function merge(found: Record<string, unknown>, value: unknown): void {
	if (typeof value !== 'object' || value === null) {
		return;
	}
	for (const [name, field] of Object.entries(value)) {
		if (typeof field === 'number') {
			found[name] = field;
		} else if (name === 'prompt_tokens_details' || name === 'input_tokens_details') {
			merge(found, { cached_tokens: (field as { cached_tokens?: unknown } | null)?.cached_tokens });
		}
	}
}
