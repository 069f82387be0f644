import type { Localization } from '#base/text/localization.ts';

/** Strings of all tables. */
export interface TableStrings {
	readonly resize: string;
}

/** Returns the strings of all tables, translated by the host. */
export function getTableStrings({ t }: Localization): TableStrings {
	return { resize: t('Drag to resize, double-click to reset (Shift+Left and Shift+Right in the header)') };
}
