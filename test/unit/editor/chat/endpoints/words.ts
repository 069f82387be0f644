import type { Localization } from '#base/text/localization.ts';

/** The untranslated texts, filled in. */
export const words = {
	t: (text: string, ...values: unknown[]) => text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
} as Localization;
