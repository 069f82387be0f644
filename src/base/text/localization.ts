/** Translates a message of the UI and fills in its placeholders. This is `vscode.l10n.t` in the editor and `fillPlaceholders` elsewhere. */
export interface Translate {
	(message: string, ...args: (string | number | boolean)[]): string;
	(message: string, args: Readonly<Record<string, string | number | boolean>>): string;
	(options: {
		message: string;
		args?: (string | number | boolean)[] | Readonly<Record<string, string | number | boolean>>;
		comment: string | string[];
	}): string;
}

/** Part of `vscode.l10n` needed by code that runs without VS Code. */
export interface Localization {
	readonly t: Translate;
}
