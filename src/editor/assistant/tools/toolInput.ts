import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';

/** What a model calls a tool with: VS Code checks nothing of it against the tool's schema. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** A field that has to be a text. Throws a {@link Problem} `wrong-input` that says what was expected. */
export function requiredText(input: ToolInput, name: string, what: string): string {
	const text = optionalText(input, name);
	if (text === undefined) {
		throw new Problem('wrong-input', vscode.l10n.t('“{0}” is missing: expected {1}.', name, what));
	}
	return text;
}

/** A field that may be a text; an empty one counts as none. Throws as {@link requiredText}. */
export function optionalText(input: ToolInput, name: string): string | undefined {
	const value = input[name];
	if (value !== undefined && value !== null && typeof value !== 'string') {
		throw new Problem('wrong-input', vscode.l10n.t('“{0}” is no text: expected one in quotes.', name));
	}
	return value?.trim() ? value.trim() : undefined;
}
