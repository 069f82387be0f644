import * as vscode from 'vscode';
import { tryParseJson } from '#base/text/json.ts';
import { hasSecretPlaceholders } from '#runs/request/secrets.ts';
import { escapeLinks } from '../../platform/wording.ts';

/** The gateway's text in place of a secret of the agent. */
const mask = '***';

/** A recorded value to change. */
interface RecordedValue {
	/** Title of the node that returned it. */
	readonly title: string;
	readonly name: string;
	/** Type as in agent files; empty if unknown. */
	readonly type: string;
	readonly recorded: unknown;
	/** The value to start from. */
	readonly shown: unknown;
}

/** Asks for another value of the same type. Resolves to `undefined` on cancel. Refuses a text with a secret that isn't stored with the run. */
export async function askForChangedValue({
	title,
	name,
	type,
	recorded,
	shown,
}: RecordedValue): Promise<{ readonly value: unknown } | undefined> {
	const kind = type === '' ? getJsonType(recorded) : type;
	const given = await vscode.window.showInputBox({
		title: vscode.l10n.t("Change '{0}' of '{1}'", name, title),
		prompt: escapeLinks(kind),
		value: formatForInput(shown),
		ignoreFocusOut: true,
		validateInput: text => {
			const value = parseInput(text, recorded);
			if (value === undefined) {
				return escapeLinks(vscode.l10n.t("Enter a JSON value of type '{0}'.", kind));
			}
			return hasSecret(recorded) && hasSecret(value)
				? vscode.l10n.t("This value contains a secret, which isn't stored with the run. Enter the whole value.")
				: undefined;
		},
	});
	return given === undefined ? undefined : { value: parseInput(given, recorded) };
}

/** Formats a value for an input box, which has one line: strings as they are if possible, everything else as JSON. */
export function formatForInput(value: unknown): string {
	return typeof value === 'string' && !needsQuotes(value) ? value : (JSON.stringify(value) ?? '');
}

/** Parses what {@link formatForInput} formats. Returns `undefined` if it's no value of the recorded one's type. */
function parseInput(text: string, recorded: unknown): unknown {
	const parsed = tryParseJson(text);
	if (typeof recorded === 'string') {
		return text.startsWith('"') ? (typeof parsed === 'string' ? parsed : undefined) : text;
	}
	return recorded === null || getJsonType(parsed) === getJsonType(recorded) ? parsed : undefined;
}

function needsQuotes(text: string): boolean {
	return text.startsWith('"') || /\p{Cc}|[\u2028\u2029]/u.test(text);
}

function getJsonType(value: unknown): string {
	return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

/** True if a value contains a secret that was masked, by the gateway or by this editor. */
function hasSecret(value: unknown): boolean {
	return (JSON.stringify(value) ?? '').includes(mask) || hasSecretPlaceholders(value);
}
