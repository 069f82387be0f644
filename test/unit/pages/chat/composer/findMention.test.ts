import assert from 'node:assert/strict';
import { findMention } from '#pages/chat/composer/findMention.ts';

describe('the text typed for a list', () => {
	for (const [before, trigger, query] of [
		['@', '@', ''],
		['see #sum', '#', 'sum'],
		['a\n@symbols:open', '@', 'symbols:open'],
		['/', '/', ''],
		['/ex', '/', 'ex'],
	] as const) {
		it(`is found in '${before.replace('\n', '\\n')}'`, () => assert.deepEqual(findMention(before), { trigger, query }));
	}

	for (const before of ['', 'me@example', '@file and', 'see /ex', '/src/a.ts', '/explain this', '#1#']) {
		it(`isn't found in '${before}'`, () => assert.equal(findMention(before), undefined));
	}
});
