import fc from 'fast-check';

/** Texts that mean something in YAML, and text that people type. */
const typed = fc.oneof(
	fc.constantFrom(
		...['"', "'", '#', ' # x', ': ', ':', '- ', '-', '[', ']', '{', '}', '|', '>', '|+\n', '? ', ',', '&a ', '*a', '<<: ', '<<: *a'],
	),
	fc.constantFrom(
		...['---\n', '...\n', '%YAML 1.2\n', '!!str ', '\t', ' ', '\n', '\r\n', '\n\n', '\u0000', '\u2028', '@', '`', '\uFEFF', '{{#'],
	),
	fc.constantFrom(
		...[
			'\n  ',
			'\n    ',
			'\n      - id: new\n',
			'\n      - id: a\n        data:\n          type: end\n',
			'\n        x: 1',
			'nodes:',
			'edges: []',
		],
	),
	fc.constantFrom(
		...['title: "T', 'type: __proto__', 'nodes:\n      - id: x\n', 'workflow:\n', '  graph:\n', 'cut__here', 'id: 1', 'answer'],
	),
	fc.string({ unit: 'binary', maxLength: 4 }),
);
/** Position, number of deleted characters, and inserted text. Half of them are at the start or end of a line, where structure is. */
export const textEdit = fc.record({
	at: fc.nat(),
	atLine: fc.boolean(),
	gone: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(300)),
	text: typed,
});
export type TextEdit = { readonly at: number; readonly atLine: boolean; readonly gone: number; readonly text: string };

/** Returns the text after an edit. */
export function applyEdit(text: string, { at, atLine, gone, text: piece }: TextEdit): string {
	let from = at % (text.length + 1);
	if (atLine) {
		const breaks = [...text.matchAll(/\n *(?=\S)|(?=\n)/g)].map(({ index, 0: found }) => index + found.length);
		from = breaks[at % Math.max(1, breaks.length)] ?? 0;
	}
	return text.slice(0, from) + piece + text.slice(from + gone);
}
