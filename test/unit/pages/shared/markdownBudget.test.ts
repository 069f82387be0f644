import assert from 'node:assert/strict';
import { highlightCode } from '#pages/shared/grammars.ts';
import { MarkdownBlocks } from '#pages/shared/markdownBlocks.ts';

describe('rendering budget of a reply', () => {
	const deep = `${'*a '.repeat(5000)}${' a*'.repeat(5000)}`;
	const wide = `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${'x\n'.repeat(60)}`;
	const parseText = (text: string) => new MarkdownBlocks().updateText(text).blocks;

	it('is sufficient for normal texts', () => {
		const table = `| a | b | c |\n|---|---|---|\n${'| 1 | *2* | `3` |\n'.repeat(500)}`;
		const list = '- one **two** [three](https://x.example)\n'.repeat(1000);
		assert.deepEqual(
			parseText(`${table}\n\n# Title\n\n${list}`).map(({ plain }) => plain),
			[false, false, false],
		);
	});

	for (const [name, text] of Object.entries({ 'emphasis inside emphasis': deep, 'a table that is wide and long': wide })) {
		it(`shows the source of ${name}, and renders the blocks around it`, () => {
			const blocks = parseText(`*before*\n\n${text}\n\n*after*`);
			assert.deepEqual(
				blocks.map(({ plain }) => plain),
				[false, true, false],
			);
			assert.equal(blocks[1]?.source.trim(), text.trim());
			assert.match(blocks[2]?.html ?? '', /<em>after/);
		});
	}

	it('shows the rest as is without parsing once it is spent', () => {
		const text = `*first*\n\n${`${wide}\n\n`.repeat(15)}*last*`;
		const blocks = new MarkdownBlocks();
		blocks.updateText(text);
		const { blocks: rest } = blocks.updateText(`${text} and *more*`);
		assert.equal(rest.length, 1);
		assert.ok(rest[0]?.plain);
		assert.ok(rest[0].source.startsWith('|a|a') && rest[0].source.endsWith('*last* and *more*'));
		assert.ok(rest[0].source.length < text.length / 2, 'what came before was paid for');
	});

	it('leaves any number of URLs without a scheme as text', () => {
		const began = performance.now();
		const [block] = parseText('//a.b/'.repeat(10_000));
		assert.doesNotMatch(block?.html ?? '', /<a/);
		assert.ok(performance.now() - began < 1500);
	});

	it('leaves code plain if its grammar would take seconds', async () => {
		const code = '[a]('.repeat(2000);
		await new Promise<void>(resolve => assert.equal(highlightCode(code, 'markdown', resolve), undefined));
		const began = performance.now();
		assert.equal(
			highlightCode(code, 'markdown', () => undefined),
			undefined,
		);
		assert.ok(performance.now() - began < 4000);
	});

	it('shows an endless paragraph as is, but highlights code', () => {
		const long = 'word '.repeat(20_000);
		assert.deepEqual(
			parseText(long).map(({ plain, source }) => [plain, source.length]),
			[[true, long.length]],
		);
		assert.equal(parseText(`\`\`\`txt\n${long}\n`)[0]?.code?.text.length, long.length);
	});
});
