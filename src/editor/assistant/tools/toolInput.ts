import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';

/** Input of a tool call. VS Code doesn't validate it against the tool's schema. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Reads a required string. Throws a {@link Problem} `wrong-input` with the message `missing` if it's missing or empty. */
export function readRequiredText(input: ToolInput, name: string, missing: string): string {
	const text = readOptionalText(input, name);
	if (text === undefined) {
		throw new Problem('wrong-input', missing);
	}
	return text;
}

/** Reads an optional string. Returns `undefined` for an empty one. Throws a {@link Problem} `wrong-input` if it isn't a string. */
export function readOptionalText(input: ToolInput, name: string): string | undefined {
	const value = input[name];
	if (value !== undefined && value !== null && typeof value !== 'string') {
		throw new Problem('wrong-input', vscode.l10n.t("'{0}' isn't a string.", name));
	}
	return value?.trim() ? value.trim() : undefined;
}
