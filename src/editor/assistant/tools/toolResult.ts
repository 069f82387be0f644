import * as vscode from 'vscode';
import { cutToLimit } from '#base/text/cutText.ts';
import { cutValue } from '#base/text/cutValue.ts';

type Tokenization = vscode.LanguageModelToolTokenizationOptions | undefined;

/** Maximum length of a result in characters, if the caller sets no token limit. */
const longest = 100_000;
/** Maximum lengths of strings, tried in this order until the result fits. */
const limits = [Number.POSITIVE_INFINITY, 20_000, 4000, 1000, 200];
/** Maximum number of entries in a list or object once strings are cut. */
const mostEntries = 50;

/** Creates a tool result as JSON. Cuts long strings until the result fits the caller's token limit. */
export async function createToolResult(
	value: unknown,
	tokenization: Tokenization,
	token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
	let text = '';
	for (const limit of limits) {
		text = JSON.stringify(Number.isFinite(limit) ? shortenValue(value, limit) : value, undefined, 1);
		if (await fitsTokenBudget(text, tokenization, token)) {
			return createTextResult(text);
		}
	}
	while (text.length > 1 && !(await fitsTokenBudget(text, tokenization, token))) {
		text = cutToLimit(text, Math.floor(text.length / 2));
	}
	return createTextResult(text);
}

async function fitsTokenBudget(text: string, tokenization: Tokenization, token: vscode.CancellationToken): Promise<boolean> {
	if (!tokenization) {
		return text.length <= longest;
	}
	// a text never has more tokens than bytes
	const budget = tokenization.tokenBudget;
	return text.length * 3 <= budget || (await tokenization.countTokens(text, token)) <= budget;
}

function shortenValue(value: unknown, limit: number): unknown {
	if (typeof value === 'string') {
		return cutValue(value, limit);
	}
	if (Array.isArray(value)) {
		const more = value.length - mostEntries;
		const entries = value.slice(0, mostEntries).map(each => shortenValue(each, limit));
		return more > 0 ? [...entries, `… (${more} more)`] : entries;
	}
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value);
		const more = entries.length - mostEntries;
		const kept = entries.slice(0, mostEntries).map(([name, each]) => [name, shortenValue(each, limit)]);
		return Object.fromEntries(more > 0 ? [...kept, ['…', `${more} more`]] : kept);
	}
	return value;
}

function createTextResult(text: string): vscode.LanguageModelToolResult {
	return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
