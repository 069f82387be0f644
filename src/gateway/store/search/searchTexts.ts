/** Number of characters of a keyword that count (Dify's limit; wire facts 1.1). */
const keywordLength = 30;
/** Maximum searchable characters of a run, so that values of many megabytes aren't split into trigrams. */
const searchedLength = 262_144;

/** The searchable values of a run. `inputs` and `outputs` are JSON. */
interface SearchedRun {
	readonly user: string;
	readonly inputs: string;
	readonly outputs: string | null;
	readonly error: string | null;
	/** Errors of its nodes that didn't fail the run, one per line. */
	readonly nodeErrors: string;
}

/** Returns the searchable text of a run. */
export function getSearchText({ user, inputs, outputs, error, nodeErrors }: SearchedRun): string {
	// errors come first, because long texts are cut
	const texts = [escapeJson(user), escapeJson(error ?? ''), escapeJson(nodeErrors), inputs, outputs ?? ''].filter(text => text !== '');
	return texts.join('\n').slice(0, searchedLength);
}

/** Escapes a text like in a JSON string. */
function escapeJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** Returns the lowercase strings to search for: the keyword itself, and the keyword escaped as in JSON. */
export function getNeedles(keyword: string): readonly string[] {
	const cut = [...keyword].slice(0, keywordLength).join('').toLowerCase();
	return [...new Set([cut, JSON.stringify(cut).slice(1, -1)])];
}

/** True if a text contains one of the needles, as the index would find it. */
export function containsNeedle(body: string, needles: readonly string[]): boolean {
	const folded = body.toLowerCase();
	return needles.some(needle => folded.includes(needle));
}

/** True if a needle is too short for a trigram. */
export function isShortNeedle(needle: string): boolean {
	return [...needle].length < 3;
}

/**
 * Returns the tokens that find a run by needles of one or two characters: each character of its text, each pair of neighboring characters,
 * and its scopes. With a trigram index alone, a short needle would require looking up all trigrams that start with it, which can be tens of
 * thousands.
 */
export function getShortTokens(body: string, agent: number, status: string): string {
	const singles = new Set<string>();
	const pairs = new Set<string>();
	let before: string | undefined;
	for (const character of body.toLowerCase()) {
		singles.add(character);
		if (before !== undefined) {
			pairs.add(before + character);
		}
		before = character;
	}
	const tokens = [toScopeToken(agent, undefined), toScopeToken(agent, status)];
	for (const grams of [singles, pairs]) {
		for (const gram of grams) {
			tokens.push(toShortToken(gram));
		}
	}
	return tokens.join(' ');
}

/** Encodes one or two characters as a token of ASCII letters and digits. */
export function toShortToken(needle: string): string {
	return `g${[...needle].map(character => character.codePointAt(0)?.toString(16)).join('x')}`;
}

/** Encodes agent and status as a token that differs from all those of {@link toShortToken}. */
export function toScopeToken(agent: number, status: string | undefined): string {
	return `${getStatusLetter(status)}${agent}`;
}

/** Quotes a text as a phrase of an FTS5 query. */
export function quotePhrase(text: string): string {
	return `"${text.replaceAll('"', '""')}"`;
}

/** Returns the `scope` column of a run: the agent alone, and the agent with the status. */
export function getScopes(agent: number, status: string): string {
	return toScope(agent, undefined) + toScope(agent, status);
}

/**
 * Encodes agent and status as one trigram, so that the index can filter by them: a letter for the status, and two ideographs for the agent.
 * Letters for the agent would be case-folded. No trigram across two scopes starts with a letter.
 */
export function toScope(agent: number, status: string | undefined): string {
	return (
		getStatusLetter(status) + String.fromCharCode(firstIdeograph + Math.floor(agent / ideographs), firstIdeograph + (agent % ideographs))
	);
}

function getStatusLetter(status: string | undefined): string {
	return status === undefined ? 'a' : (statusLetters[status] ?? 'z');
}

const firstIdeograph = 0x4e00;
const ideographs = 20_000;
const statusLetters: Readonly<Record<string, string>> = {
	succeeded: 's',
	failed: 'f',
	stopped: 't',
	'partial-succeeded': 'p',
	paused: 'w',
};

/** SQL expression for the state of a run, which changes with each pause and at the run's end. */
export const standing = "(status || ' ' || total_steps)";

/** A queued run. If the run was deleted, all columns except its row ID are null. */
export interface QueuedRun extends SearchedRun {
	readonly run: number;
	readonly listed: number | null;
	readonly finished_at: number | null;
	readonly agent: number;
	readonly status: string;
	readonly stands: string | null;
}

/** True if searches can find a run: it's listed, and it has ended or paused. */
export function isSearchable({ listed, finished_at, status }: QueuedRun): boolean {
	return listed === 1 && (finished_at !== null || status === 'paused');
}
