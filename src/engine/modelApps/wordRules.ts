import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Path } from '#agentFile/agentText.ts';
import { type WordRules, wordRulesSchema } from '#agentFile/modelConfigSchema.ts';
import type { AgentDocument } from '../agentFile/agentDocument.ts';
import type { AgentFault } from '../agentFile/agentTypes.ts';
import { KeywordCheck, keywordsIn } from './keywords.ts';

/** Most keywords and their characters, as the hosted service takes them. */
const maxKeywords = 100;
const maxKeywordsLength = 10_000;
/** Characters that are looked through before others have their turn: words can be chosen so that each character costs much. */
const slice = 8_192;

/** What of an app's rules for its texts nothing here can keep. */
export function unchecked(rules: WordRules): readonly string[] {
	return rules?.enabled && rules.type !== 'keywords'
		? [
				`sensitive_word_avoidance: checks of type "${rules.type}" need a service that is not available here, so that nothing is checked; "keywords" works here`,
			]
		: [];
}

/** Rules that can be kept here. */
export function keywordRules(rules: WordRules) {
	return rules?.enabled && rules.type === 'keywords' ? (rules.config ?? undefined) : undefined;
}

/** Warns of rules that are not kept. @throws {AgentFileError} for more keywords than the hosted service takes */
export function checkWordRules(rules: WordRules, path: Path, document: AgentDocument, warnings: AgentFault[]): void {
	warnings.push(...unchecked(rules).map(sentence => document.fault([...path, 'type'], sentence.replace(/^[^:]*: /, ''))));
	const keywords = rules?.config?.keywords ?? '';
	if (keywords.length > maxKeywordsLength || keywordsIn(keywords).length > maxKeywords) {
		document.refuse([...path, 'config', 'keywords'], `are too many: at most ${maxKeywords} lines, ${maxKeywordsLength} characters in all`);
	}
}

/** Rules among the features of an app with a graph; none where they are no rules. */
export function wordRulesOf(features: Readonly<Record<string, unknown>>): WordRules {
	return wordRulesSchema.safeParse(features['sensitive_word_avoidance']).data;
}

/** The preset answer where one of the texts that came in says what must not be asked. */
export async function presetForInput(rules: WordRules, texts: readonly string[], signal: AbortSignal): Promise<string | undefined> {
	const { inputs_config: rule, keywords = '' } = keywordRules(rules) ?? {};
	if (!rule?.enabled) {
		return undefined;
	}
	for (const text of texts) {
		if (await says(new KeywordCheck(keywords), text, signal)) {
			return rule.preset_response;
		}
	}
	return undefined;
}

/** The texts of a chatflow's answer on their way to the user: where they say what they must not, none goes on any more. */
export class AnswerGuard {
	/** Aborted where the answer says what it must not. */
	readonly flagged: AbortSignal;
	/** What takes the place of such an answer. */
	readonly preset: string;
	readonly #words: KeywordCheck;
	readonly #flag = new AbortController();
	readonly #signal: AbortSignal;
	/** Looks through long texts; what comes meanwhile waits behind them. */
	#looking: Promise<void> | undefined;

	/** @param signal ends it with the run @returns undefined: there are no rules for answers */
	static of(rules: WordRules, signal: AbortSignal): AnswerGuard | undefined {
		const { outputs_config: rule, keywords = '' } = keywordRules(rules) ?? {};
		return rule?.enabled ? new AnswerGuard(keywords, rule.preset_response, signal) : undefined;
	}

	private constructor(keywords: string, preset: string, signal: AbortSignal) {
		this.#words = new KeywordCheck(keywords);
		this.preset = preset;
		this.#signal = signal;
		this.flagged = this.#flag.signal;
	}

	/** Lets a piece go on, at once unless it is long or comes behind one that is. */
	pass(text: string, send: () => void): void {
		if (!this.#looking && text.length <= slice) {
			this.#let(this.#words.push(text), send);
			return;
		}
		const looking = (this.#looking ?? Promise.resolve())
			.then(async () => this.#let(!this.flagged.aborted && (await says(this.#words, text, this.#signal)), send))
			.catch(() => {})
			.finally(() => {
				this.#looking = this.#looking === looking ? undefined : this.#looking;
			});
		this.#looking = looking;
	}

	/** Resolves when every piece has gone on or been held back. */
	async settled(): Promise<void> {
		await this.#looking;
	}

	#let(isForbidden: boolean, send: () => void): void {
		if (isForbidden) {
			this.#flag.abort(new Error('The answer says what it must not.'));
		}
		if (!this.flagged.aborted) {
			send();
		}
	}
}

async function says(check: KeywordCheck, text: string, signal: AbortSignal): Promise<boolean> {
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
