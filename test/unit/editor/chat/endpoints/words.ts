import type { Localization } from '#base/text/localization.ts';

/** Returns messages in English with their values filled in. */
export const words = {
	t: (text: string, ...values: unknown[]) => text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
} as Localization;
