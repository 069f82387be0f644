import { countedTokens, type TokenUsage } from '../../../protocol/tokenPrice.ts';

/**
 * Tokens of a reply of any protocol, from the pieces of it that have been kept: the fields `usage` and `usageMetadata`, of which later ones count before
 * earlier ones. Undefined where the reply tells of none, or of what can be no count.
 */
export function usageIn(pieces: readonly Buffer[]): TokenUsage | undefined {
	const found: Counts = {};
	for (const piece of pieces) {
		for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, at + mark.length)) {
			merge(found, objectAt(piece, at));
		}
	}
	const input = found.input_tokens ?? found.prompt_tokens ?? found.promptTokenCount;
	if (input === undefined) {
		return undefined;
	}
	// Anthropic counts what was cached beside the rest, the others among it
	const { cache_read_input_tokens: anthropic } = found;
	const cached = anthropic ?? found.cached_tokens ?? found.cachedContentTokenCount ?? 0;
	const output = found.output_tokens ?? found.completion_tokens ?? (found.candidatesTokenCount ?? 0) + (found.thoughtsTokenCount ?? 0);
	const all = anthropic === undefined ? input : input + anthropic + (found.cache_creation_input_tokens ?? 0);
	return countedTokens({ input: all, cached, output });
}

/** Numbers by the names that protocols have for them. */
type Counts = Partial<
	Record<
		| 'input_tokens'
		| 'prompt_tokens'
		| 'promptTokenCount'
		| 'cache_read_input_tokens'
		| 'cache_creation_input_tokens'
		| 'cached_tokens'
		| 'cachedContentTokenCount'
		| 'output_tokens'
		| 'completion_tokens'
		| 'candidatesTokenCount'
		| 'thoughtsTokenCount',
		number
	>
>;

/** In front of both names; within a text of the reply its quote is escaped. */
const mark = Buffer.from('"usage');
/** What the longer name goes on with. */
const metadata = 'Metadata';
/** More than any service tells. */
const longest = 4_000;

/** The object that the name at this place has. Its bytes are looked at, not made into a text: this is done for every reply. */
function objectAt(piece: Buffer, at: number): unknown {
	if (piece[at - 1] === backslash) {
		return undefined;
	}
	const named = at + mark.length;
	const end = piece[named] === metadata.charCodeAt(0) ? named + metadata.length : named;
	const colonAt = skipSpace(piece, end + 1);
	const start = skipSpace(piece, colonAt + 1);
	if (piece[end] !== quote || piece[colonAt] !== colon || piece[start] !== openBrace) {
		return undefined;
	}
	const last = Math.min(piece.length, start + longest);
	for (let i = start, depth = 0; i < last; i++) {
		const byte = piece[i];
		depth += byte === openBrace ? 1 : byte === closeBrace ? -1 : 0;
		if (depth === 0) {
			try {
				return JSON.parse(piece.toString('latin1', start, i + 1));
			} catch {
				return undefined;
			}
		}
	}
	return undefined;
}

function skipSpace(piece: Buffer, start: number): number {
	let at = start;
	while (piece[at] === 0x20 || piece[at] === 0x0a || piece[at] === 0x0d || piece[at] === 0x09) {
		at++;
	}
	return at;
}

const [quote, backslash, colon, openBrace, closeBrace] = [...'"\\:{}'].map(character => character.charCodeAt(0));

/** Takes the numbers of an object, and of what it says of the prompt; a null says nothing. */
function merge(found: Counts, value: unknown): void {
	for (const name in value as object) {
		const field = (value as Readonly<Record<string, unknown>>)[name];
		if (typeof field === 'number') {
			found[name as keyof Counts] = field;
		} else if (name === 'prompt_tokens_details' || name === 'input_tokens_details') {
			merge(found, { cached_tokens: (field as { cached_tokens?: unknown } | null)?.cached_tokens });
		}
	}
}
