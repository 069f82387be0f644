import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { marked } from 'marked';
import { formatCodeBlock, toCodeText } from '#editor/platform/wording.ts';
import { root } from '../../../../scripts/lib/paths.ts';

describe('text in a code block of a hover', () => {
	it('never ends the block, whatever fences it contains', () => {
		for (const fence of ['```', '  ```', '   `````', '~~~', ' ```\r', '`` ` ```` `']) {
			const text = `a\n${fence}\n[Approve](command:evil) ![](https://example.com/seen.png)`;
			const tokens = marked.lexer(formatCodeBlock(text, 'text')).filter(({ type }) => type !== 'space');
			assert.deepEqual(
				tokens.map(({ type }) => type),
				['code'],
				JSON.stringify(fence),
			);
		}
	});

	it('never ends a code span', () => {
		const text = 'a`\n\n[Approve](command:evil) ![](https://example.com/seen.png)';
		assert.equal(toCodeText(text), 'a');
		assert.equal(toCodeText('\u202e\u0007b\u2028c'), 'b');
	});

	it("is never inserted with the editor's own method, which overlooks indented fences", () => {
		const sources = path.join(root, 'src');
		const wrong = fs
			.globSync('**/*.ts', { cwd: sources })
			.filter(file => file !== path.join('editor', 'platform', 'wording.ts'))
			.filter(file => /\.appendCodeblock\(|replaceAll\('`', ''\)/.test(fs.readFileSync(path.join(sources, file), 'utf8')));
		assert.deepEqual(wrong, []);
	});
});
