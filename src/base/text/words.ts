/** Puts values into a sentence of the UI, and translates it: `vscode.l10n.t`, handed over where there is an editor. */
export type Words = (message: string, ...values: (string | number)[]) => string;

/** English, with the values in their places. */
export function plainWords(message: string, ...values: (string | number)[]): string {
	return message.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)] ?? ''));
}
