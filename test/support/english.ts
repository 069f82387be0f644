import type { Translate } from '#base/text/localization.ts';

/** `vscode.l10n.t` in English. */
export const english = ((given: string | { message: string; args?: unknown[] }, ...values: unknown[]) => {
	const { message, args = [] } = typeof given === 'string' ? { message: given, args: values } : given;
	return message.replace(/\{(\d+)\}/g, (_all, at: string) => String(args[Number(at)]));
}) as Translate;
