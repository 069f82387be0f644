import type { Translate } from '#base/text/localization.ts';

/** `vscode.l10n.t` in English. */
export const english = ((message: string, ...values: unknown[]) =>
	message.replace(/\{(\d+)\}/g, (_all, at: string) => String(values[Number(at)]))) as Translate;
