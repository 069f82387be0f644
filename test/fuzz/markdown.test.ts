import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MarkdownBlocks } from '#pages/shared/markdownBlocks.ts';
import { fuzzRuns } from './fuzzRuns.ts';

/** The elements of Markdown, and text that breaks parsers of it. */
const piece = fc.oneof(
	fc.constantFrom(
		'*a ',
		' a*',
		'_',
		'**',
		'~~',
		'[',
		'](',
		'![',
		'](https://[',
		')',
		'`',
		'```\n',
		'|',
		'|-',
		'\n',
		'\n\n',
		'> ',
		'- ',
		'1. ',
		'    ',
		'$',
		'$$',
		'\\(',
		'\\[',
		'\\]',
		'[^a]',
		'[^a]: ',
	),
	fc.constantFrom('<', '&#x0;', '\\', '[x]: <', '\u0000', '\ud800', '\r', 'http://%', '|a', '\t'),
	fc.string({ maxLength: 8 }),
);

describe('any reply', () => {
	it('is rendered without an error and within the budget, and loses no text of code blocks', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 300 })), { maxLength: 30 }), fc.nat(), (pieces, cut) => {
				const text = pieces.map(([part, times]) => part.repeat(times)).join('');
				const blocks = new MarkdownBlocks();
				for (const end of [cut % (text.length + 1), text.length]) {
					for (const { tokens, plain, source, html } of blocks.updateText(text.slice(0, end)).blocks) {
						assert.ok(tokens <= 20_000);
						assert.ok(!plain || source.length <= html.length);
						assert.ok((html.match(/<(?:em|strong|s)>/g)?.length ?? 0) <= 20_000);
					}
				}
				for (const { block } of blocks.resolveLateLinks()) {
					assert.ok(block.tokens <= 20_000);
				}
			}),
			{ numRuns: fuzzRuns },
		);
	});
});
