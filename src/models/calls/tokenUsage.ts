import { tryParseJson } from '#base/text/json.ts';
import { normalizeTokenCounts, type TokenUsage } from '#contract/text/tokenPrice.ts';

/**
 * Reads the token counts of a reply in any protocol, from the fields `usage` and `usageMetadata`. Later fields override earlier ones.
 * Fields deeper than {@link deepest} are ignored, because a model can write such names into the input of a tool. Undefined if there are no
 * counts, or invalid ones.
 * @param pieces the start of the reply and, if bytes after it were dropped, its end
 */
export function readTokenUsage(pieces: readonly Buffer[]): TokenUsage | undefined {
	const found: Counts = {};
	for (const [i, piece] of pieces.entries()) {
		const isTopLevel = i === 0 ? trackDepthFromStart(piece) : trackDepthFromEnd(piece);
		for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, at)) {
			const object = isTopLevel(at) ? readObjectAt(piece, at) : undefined;
			mergeCounts(found, object?.value);
			// skip what was already searched, so that a reply full of such names is scanned only once
			at = object?.end ?? at + mark.length;
		}
	}
	const input = found.input_tokens ?? found.prompt_tokens ?? found.promptTokenCount;
	if (input === undefined) {
		return undefined;
	}
	// Anthropic excludes cached tokens from the input count, the others include them
	const { cache_read_input_tokens: anthropic } = found;
	const cached = anthropic ?? found.cached_tokens ?? found.cachedContentTokenCount ?? 0;
	const output = found.output_tokens ?? found.completion_tokens ?? (found.candidatesTokenCount ?? 0) + (found.thoughtsTokenCount ?? 0);
	const all = anthropic === undefined ? input : input + anthropic + (found.cache_creation_input_tokens ?? 0);
	return normalizeTokenCounts({ input: all, cached, output });
}

/** Token counts, keyed by the field names that the protocols use. */
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

/** Start of both field names. A model's text can't contain this, because the quote would be escaped. */
const mark = Buffer.from('"usage');
/** Rest of the longer field name. */
const metadata = 'Metadata';
/** Longest usage object in bytes. */
const longest = 4_000;

/**
 * Reads the object after the field name at this position. Returns the position after the examined bytes, and no value if it can't be read.
 * Works on bytes rather than strings because it runs for every reply.
 */
function readObjectAt(piece: Buffer, at: number): { readonly value?: unknown; readonly end: number } | undefined {
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
			return { value: tryParseJson(piece.toString('latin1', start, i + 1)), end: i + 1 };
		}
	}
	return { end: last };
}

function skipSpace(piece: Buffer, start: number): number {
	let at = start;
	while (piece[at] === 0x20 || piece[at] === 0x0a || piece[at] === 0x0d || piece[at] === 0x09) {
		at++;
	}
	return at;
}

/** Maximum nesting depth of the reply's usage object. In events and lists, it's one level deeper than in a plain reply. */
const deepest = 2;

/**
 * Returns a function that is true for positions where a usage object belongs to the reply itself, counting depth from the start. Positions
 * must ascend, so that one pass is enough.
 */
function trackDepthFromStart(piece: Buffer): (at: number) => boolean {
	let [depth, next, isQuoted] = [0, 0, false];
	return at => {
		for (; next < at; next++) {
			const byte = piece[next];
			if (isQuoted && byte === backslash) {
				next++;
			} else if (byte === quote) {
				isQuoted = !isQuoted;
			} else if (!isQuoted) {
				depth += getDepthChange(byte);
			}
		}
		return !isQuoted && depth <= deepest;
	};
}

/**
 * Does the same for the end of a reply, which may start anywhere, even within a string. Counts depth backwards from the end, once for all
 * positions.
 */
function trackDepthFromEnd(piece: Buffer): (at: number) => boolean {
	const own = new Set<number>();
	for (let at = piece.length - 1, depth = 0, isQuoted = false; at >= 0; at--) {
		const byte = piece[at];
		if (byte === quote && !isEscaped(piece, at)) {
			isQuoted = !isQuoted;
			if (!isQuoted && depth <= deepest && piece[at + 1] === mark[1]) {
				own.add(at);
			}
		} else if (!isQuoted) {
			depth -= getDepthChange(byte);
		}
	}
	return at => own.has(at);
}

function getDepthChange(byte: number | undefined): number {
	return byte === openBrace || byte === openBracket ? 1 : byte === closeBrace || byte === closeBracket ? -1 : 0;
}

function isEscaped(piece: Buffer, at: number): boolean {
	let first = at;
	while (piece[first - 1] === backslash) {
		first--;
	}
	return (at - first) % 2 === 1;
}

const [quote, backslash, colon, openBrace, closeBrace, openBracket, closeBracket] = [...'"\\:{}[]'].map(character =>
	character.charCodeAt(0),
);

/** Copies the numbers of a usage object and of its prompt details. Nulls are ignored. */
function mergeCounts(found: Counts, value: unknown): void {
	for (const name in value as object) {
		const field = (value as Readonly<Record<string, unknown>>)[name];
		if (typeof field === 'number') {
			found[name as keyof Counts] = field;
		} else if (name === 'prompt_tokens_details' || name === 'input_tokens_details') {
			mergeCounts(found, { cached_tokens: (field as { cached_tokens?: unknown } | null)?.cached_tokens });
		}
	}
}
