import { beginningOf } from '#base/text/cutText.ts';
import type { ShownOutput } from '../inspectorMessages.ts';

/** More of an output is not sent to the page, in UTF-16 units; its document has it in full. */
const longestOutput = 400_000;

/** Outputs of a run as the inspector shows them. */
export function shownOutputs(outputs: Readonly<Record<string, unknown>> | null): ShownOutput[] {
	return Object.entries(outputs ?? {}).map(([name, value]) => {
		const isText = typeof value === 'string';
		const text = isText ? value : (JSON.stringify(value, undefined, 2) ?? 'null');
		return { name, text: beginningOf(text, longestOutput), isText, cut: text.length > longestOutput };
	});
}
