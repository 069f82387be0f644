import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Localization } from '#base/text/localization.ts';

/** Returns messages in English with their values filled in. */
export const words: Localization = { t: fillPlaceholders };
