import assert from 'node:assert/strict';
import { createAppFileName, findFreeFileName } from '#dify/files/appFileName.ts';

describe('the file name for an app', () => {
	const names: readonly (readonly [app: string, file: string])[] = [
		['Support Bot', 'Support-Bot'],
		['../../etc/passwd', 'etc-passwd'],
		['C:\\Windows\\system32', 'C-Windows-system32'],
		['客服 助手', '客服-助手'],
		['a\u0000b\nc\u202Ed', 'a-b-c-d'],
		['...', 'app'],
		['', 'app'],
		['🤖', 'app'],
		['con', 'con-app'],
		['NUL.txt', 'NUL-txt'],
		['lpt9', 'lpt9-app'],
		['v2.1 (draft)', 'v2-1-draft'],
		['.hidden', 'hidden'],
		['-rf', 'rf'],
	];
	for (const [app, file] of names) {
		it(`is ${file} for ${JSON.stringify(app)}`, () => assert.equal(createAppFileName(app), file));
	}

	it('leaves room for a suffix in any script', () => {
		for (const letter of ['a', 'é', '語', '𠮷', 'e\u0301']) {
			const name = createAppFileName(letter.repeat(300));
			assert.ok(Buffer.byteLength(`${name}.dify.json`) < 255 && name.length > 0);
			assert.ok(name.isWellFormed());
		}
	});

	it('is the same for composed and decomposed letters', () => {
		assert.equal(createAppFileName('Cafe\u0301'), createAppFileName('Café'));
	});

	it('gets a number if another file has the same name in any case', () => {
		assert.equal(findFreeFileName('Bot', ['bot', 'BOT-2', 'other']), 'Bot-3');
		assert.equal(findFreeFileName('Cafe\u0301', ['Café']), 'Cafe\u0301-2');
		assert.equal(findFreeFileName('bot', []), 'bot');
	});
});
