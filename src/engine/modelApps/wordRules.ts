import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Path } from '#agentFile/agentText.ts';
import { type WordRules, wordRulesSchema } from '#agentFile/modelConfigSchema.ts';
import type { AgentDocument } from '../agentFile/agentDocument.ts';
import type { AgentFault } from '../agentFile/agentTypes.ts';
import { KeywordCheck, parseKeywords } from './keywords.ts';

/** Maximum number of keywords and of their characters in the hosted service. */
const maxKeywords = 100;
const maxKeywordsLength = 10_000;
/** Number of characters to check before yielding to other work. A malicious word list can make each character expensive. */
const slice = 8_192;

/** Returns the app's moderation rules that can't be enforced here. */
export function listUncheckedRules(rules: WordRules): readonly string[] {
	return rules?.enabled && rules.type !== 'keywords'
		? [`sensitive_word_avoidance: checks of type '${rules.type}' aren't available here, so nothing is checked. Use 'keywords' instead.`]
		: [];
}

/** Returns the rules that can be enforced here. */
export function getKeywordRules(rules: WordRules) {
	return rules?.enabled && rules.type === 'keywords' ? (rules.config ?? undefined) : undefined;
}

/** Warns about rules that aren't enforced. @throws {AgentFileError} for more keywords than the hosted service accepts */
export function checkWordRules(rules: WordRules, path: Path, document: AgentDocument, warnings: AgentFault[]): void {
	warnings.push(...listUncheckedRules(rules).map(sentence => document.createFault([...path, 'type'], sentence.replace(/^[^:]*: /, ''))));
	const keywords = rules?.config?.keywords ?? '';
	if (keywords.length > maxKeywordsLength || parseKeywords(keywords).length > maxKeywords) {
		document.throwFault(
			[...path, 'config', 'keywords'],
			`has too many keywords. The limit is ${maxKeywords} lines and ${maxKeywordsLength} characters.`,
		);
	}
}

/** Returns the rules in the features of an app with a graph; empty if they are malformed. */
export function readWordRules(features: Readonly<Record<string, unknown>>): WordRules {
	return wordRulesSchema.safeParse(features['sensitive_word_avoidance']).data;
}

/** Returns the preset answer if one of the input texts contains a forbidden word. */
export async function findPresetAnswer(rules: WordRules, texts: readonly string[], signal: AbortSignal): Promise<string | undefined> {
	const { inputs_config: rule, keywords = '' } = getKeywordRules(rules) ?? {};
	if (!rule?.enabled) {
		return undefined;
	}
	for (const text of texts) {
		if (await containsKeyword(new KeywordCheck(keywords), text, signal)) {
			return rule.preset_response;
		}
	}
	return undefined;
}

/** Checks the text of a chatflow's answer on its way to the user. Stops forwarding it once it contains a forbidden word. */
export class AnswerGuard {
	/** Aborted when the answer contains a forbidden word. */
	readonly flagged: AbortSignal;
	/** The answer that replaces a flagged one. */
	readonly preset: string;
	readonly #words: KeywordCheck;
	readonly #flag = new AbortController();
	readonly #signal: AbortSignal;
	/** The running check of long text; later chunks wait for it. */
	#looking: Promise<void> | undefined;

	/**
	 * @param signal aborts the check with the run
	 * @returns undefined if there are no rules for answers
	 */
	static create(rules: WordRules, signal: AbortSignal): AnswerGuard | undefined {
		const { outputs_config: rule, keywords = '' } = getKeywordRules(rules) ?? {};
		return rule?.enabled ? new AnswerGuard(keywords, rule.preset_response, signal) : undefined;
	}

	private constructor(keywords: string, preset: string, signal: AbortSignal) {
		this.#words = new KeywordCheck(keywords);
		this.preset = preset;
		this.#signal = signal;
		this.flagged = this.#flag.signal;
	}

	/** Forwards a chunk, synchronously unless it is long or an earlier chunk is still being checked. */
	passChunk(text: string, send: () => void): void {
		if (!this.#looking && text.length <= slice) {
			this.#sendUnlessForbidden(this.#words.push(text), send);
			return;
		}
		const looking = (this.#looking ?? Promise.resolve())
			.then(async () => this.#sendUnlessForbidden(!this.flagged.aborted && (await containsKeyword(this.#words, text, this.#signal)), send))
			.catch(() => {})
			.finally(() => {
				this.#looking = this.#looking === looking ? undefined : this.#looking;
			});
		this.#looking = looking;
	}

	/** Resolves when every chunk was forwarded or withheld. */
	async waitUntilChecked(): Promise<void> {
		await this.#looking;
	}

	#sendUnlessForbidden(isForbidden: boolean, send: () => void): void {
		if (isForbidden) {
			this.#flag.abort(new Error('The answer contains a forbidden word.'));
		}
		if (!this.flagged.aborted) {
			send();
		}
	}
}

async function containsKeyword(check: KeywordCheck, text: string, signal: AbortSignal): Promise<boolean> {
	for (let from = 0; from < text.length; from += slice) {
		if (check.push(text.slice(from, from + slice))) {
			return true;
		}
		if (text.length > slice) {
			await nextTurn(undefined, { signal });
		}
	}
	return false;
}
