/** Characters of a keyword that count (Dify's limit; wire facts 1.1). */
const keywordLength = 30;
/** Characters of a run's texts that a search looks at: a value of many megabytes is not cut into trigrams. */
const searchedLength = 262_144;

/** What a search looks at in a run; `inputs` and `outputs` are JSON. */
export interface SearchedRun {
	readonly user: string;
	readonly inputs: string;
	readonly outputs: string | null;
	readonly error: string | null;
	/** Errors of its nodes that the run went on after, a line each. */
	readonly nodeErrors: string;
}

/** The text of a run that is searched. */
export function bodyOf({ user, inputs, outputs, error, nodeErrors }: SearchedRun): string {
	// errors come first: long texts are cut
	const texts = [escaped(user), escaped(error ?? ''), escaped(nodeErrors), inputs, outputs ?? ''].filter(text => text !== '');
	return texts.join('\n').slice(0, searchedLength);
}

/** A text as JSON writes it within a value. */
function escaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** What to look for, in lower case: the keyword as it is, and as JSON writes it within a value, where a quote or a line break is escaped. */
export function needlesOf(keyword: string): readonly string[] {
	const cut = [...keyword].slice(0, keywordLength).join('').toLowerCase();
	return [...new Set([cut, JSON.stringify(cut).slice(1, -1)])];
}

/** Whether a text holds one of the needles, as the index would find it. */
export function holds(body: string, needles: readonly string[]): boolean {
	const folded = body.toLowerCase();
	return needles.some(needle => folded.includes(needle));
}

/** Whether a needle is too short to contain a trigram. */
export function isShort(needle: string): boolean {
	return [...needle].length < 3;
}

/**
 * The tokens by which needles of one or two characters find a run: each character of its text, each pair of neighbors, and its scopes. A trigram index alone
 * has to look for all trigrams that begin with a short needle, which can be tens of thousands.
 */
export function shortTokensOf(body: string, agent: number, status: string): string {
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
	const tokens = [scopeToken(agent, undefined), scopeToken(agent, status)];
	for (const grams of [singles, pairs]) {
		for (const gram of grams) {
			tokens.push(shortToken(gram));
		}
	}
	return tokens.join(' ');
}

/** One or two characters as a token of ASCII letters and digits. */
export function shortToken(needle: string): string {
	return `g${[...needle].map(character => character.codePointAt(0)?.toString(16)).join('x')}`;
}

/** Agent and status as a token that is no {@link shortToken}. */
export function scopeToken(agent: number, status: string | undefined): string {
	return `${letterOf(status)}${agent}`;
}

/** A text as a phrase of an FTS5 query. */
export function quoted(text: string): string {
	return `"${text.replaceAll('"', '""')}"`;
}

/** What the `scope` column of a run holds: agent, and agent with status. */
export function scopesOf(agent: number, status: string): string {
	return scope(agent, undefined) + scope(agent, status);
}

/**
 * Agent and status as one trigram, so that the index itself narrows a search down: a letter for the status, two ideographs for the agent (letters
 * would be folded to one case, and no trigram across two scopes begins with a letter).
 */
export function scope(agent: number, status: string | undefined): string {
	return letterOf(status) + String.fromCharCode(firstIdeograph + Math.floor(agent / ideographs), firstIdeograph + (agent % ideographs));
}

function letterOf(status: string | undefined): string {
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

/** SQL for how a run stands: another text after each pause, and at its end. */
export const standing = "(status || ' ' || total_steps)";
