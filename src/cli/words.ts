import type { Translate } from '../textChecks/textFaults.ts';

/** Sentences of the checks as they are written: the command line speaks English, as logs do. `{0}` stands for the first value. */
export const t = ((message: string, ...values: readonly unknown[]): string =>
	message.replace(/\{(\d+)\}/g, (place, at: string) => String(values[Number(at)] ?? place))) as Translate;
