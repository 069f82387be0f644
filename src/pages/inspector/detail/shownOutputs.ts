import { cutToLimit } from '#base/text/cutText.ts';
import type { ShownOutput } from '../inspectorMessages.ts';

/** Maximum length of an output sent to the page, in UTF-16 units. The outputs document has the full text. */
const longestOutput = 400_000;

/** Converts the outputs of a run for the inspector, cut to a maximum length. */
export function toShownOutputs(outputs: Readonly<Record<string, unknown>> | null): ShownOutput[] {
	return Object.entries(outputs ?? {}).map(([name, value]) => {
		const isText = typeof value === 'string';
		const text = isText ? value : (JSON.stringify(value, undefined, 2) ?? 'null');
		return { name, text: cutToLimit(text, longestOutput), isText, cut: text.length > longestOutput };
	});
}
