import assert from 'node:assert/strict';
import type { TextChange } from '#agentFile/writing/textChanges.ts';
import { countLines, createHunks, diffTexts, type Hunk, isPending, moveHunks, restoreOriginals } from '#editor/chat/code/hunks.ts';

describe('the hunks of a proposed change', () => {
	const before = 'one\ntwo\nthree\nfour\nfive\nsix\nsix more\n';
	const after = 'one\n2\nthree\nfour\nsix\nsix more\nseven\n';
	const change = (text: string, { offset, length, text: fresh }: TextChange) => text.slice(0, offset) + fresh + text.slice(offset + length);
	let text: string;
	let hunks: Hunk[];
	beforeEach(() => {
		text = after;
		hunks = createHunks(before, after);
	});
	const apply = (...changes: TextChange[]) => {
		for (const each of changes) {
			hunks = moveHunks(hunks, [each], text);
			text = change(text, each);
		}
	};
	const list = () => hunks.filter(hunk => isPending(text, hunk)).map(({ start, end, original }) => [text.slice(start, end), original]);

	it('have the proposed lines and the original ones', () => {
		assert.deepEqual(list(), [
			['2\n', 'two\n'],
			['', 'five\n'],
			['seven\n', ''],
		]);
		assert.equal(restoreOriginals(text, hunks), before);
		assert.deepEqual(
			hunks.map(hunk => countLines(text, hunk)),
			[
				{ removed: 1, added: 1 },
				{ removed: 1, added: 0 },
				{ removed: 0, added: 1 },
			],
		);
	});

	it('keep their lines while the text is edited around and in them', () => {
		for (const [at, fresh] of [
			['one', 'zero\n'],
			['2\n', '1.5 '],
			['three', 'more\n'],
			['six', '5.5\n'],
		] as const) {
			apply({ offset: text.indexOf(at), length: 0, text: fresh });
		}
		assert.deepEqual(list(), [
			['1.5 2\n', 'two\n'],
			['', 'five\n'],
			['seven\n', ''],
		]);
		assert.equal(restoreOriginals(text, hunks), 'zero\none\ntwo\nmore\nthree\nfour\nfive\n5.5\nsix\nsix more\n');
	});

	it('are gone after undo, and are there again after redo', () => {
		apply(...diffTexts(after, before));
		assert.equal(text, before);
		assert.deepEqual(list(), []);
		apply(...diffTexts(before, after));
		assert.equal(text, after);
		assert.equal(list().length, 3);
	});

	for (const [edge, from, to] of [
		['start', 'e\n2', '\nthree'],
		['end', '\nthree', 'ee\nfour'],
	] as const) {
		it(`restore the text around them that was changed together with their ${edge}`, () => {
			const offset = text.indexOf(from);
			const length = text.indexOf(to) - offset;
			const removed = text.slice(offset, offset + length);
			apply({ offset, length, text: 'X' });
			assert.equal(list().length, 3);
			assert.equal(restoreOriginals(text, hunks), before);
			apply({ offset, length: 1, text: removed });
			assert.equal(restoreOriginals(text, hunks), before);
		});
	}

	it('restore the text around them after several changes at once', () => {
		const [one, other] = ['one\ntwo\nthree\n', 'one\nproposed\nthree\n'];
		const changes = [
			{ offset: other.indexOf('d\nth'), length: 4, text: '' },
			{ offset: other.indexOf('e\np'), length: 3, text: 'long text' },
		];
		const moved = moveHunks(createHunks(one, other), changes, other);
		const changed = changes.reduce(change, other);
		assert.equal(changed, 'onlong textroposeree\n');
		assert.equal(restoreOriginals(changed, moved), one);
	});

	it('are dropped if they were overwritten with the text around them', () => {
		apply({ offset: 0, length: text.indexOf('four'), text: 'new\n' });
		assert.deepEqual(list(), [
			['', 'five\n'],
			['seven\n', ''],
		]);
	});

	for (const [title, one, other] of [
		['at the end without a line break', 'a\nb', 'a\nc\nd'],
		['in a text with CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nx\r\nc\r\n'],
		['that deletes all lines', 'a\nb', ''],
		['of an empty text', '', 'a\nb'],
		['that removes the last line break', 'a\nb\n', 'a\nb'],
		['that adds the last line break', 'a\nb', 'a\nb\n'],
	] as const) {
		it(`restore a text ${title}`, () => {
			assert.equal(restoreOriginals(other, createHunks(one, other)), one);
			assert.equal(diffTexts(one, other).reduce(change, one), other);
		});
	}
});
