import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.ts';

const readJson = (file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
const getPictures = (language: string): string[] =>
	Object.entries(readJson(`package.nls${language}.json`) as Record<string, string>)
		.filter(([key]) => /^walkthrough\.\w+\.picture$/.test(key))
		.map(([, file]) => file);
const readPicture = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
/** Returns a picture without its texts. */
const removeTexts = (svg: string) => svg.replace(/>[^<>\n]+</g, '><');

describe('the pictures of the walkthrough', () => {
	const english = getPictures('');

	it('exist for each step', () => {
		const [{ steps }] = readJson('package.json').contributes.walkthroughs;
		assert.deepEqual(
			steps.map(({ id, media }: { id: string; media: { svg: string } }) => [media.svg, `media/walkthrough/${id}.svg`]),
			english.map(file => [`%walkthrough.${path.basename(file, '.svg')}.picture%`, file]),
		);
	});

	for (const language of ['.zh-cn', '.ja']) {
		it(`differ from the English ones only in their texts, ${language.slice(1)}`, () => {
			const pictures = getPictures(language);
			assert.deepEqual(pictures.map(readPicture).map(removeTexts), english.map(readPicture).map(removeTexts));
			for (const [at, file] of pictures.entries()) {
				assert.notEqual(readPicture(file), readPicture(english[at]!));
				assert.doesNotMatch(readPicture(file), />[^<>"]*[A-Za-z]{2,} [a-z]{2,}[^<>]*</);
			}
		});
	}
});
