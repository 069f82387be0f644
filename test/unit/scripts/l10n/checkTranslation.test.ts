import assert from 'node:assert/strict';
import { checkTranslation } from '../../../../scripts/l10n/checkTranslation.ts';

describe('checkTranslation', () => {
	const check = (language: 'zh-cn' | 'ja', english: string, translation: unknown) =>
		checkTranslation(language, english, english, translation);

	it('accepts translations with the same marks in any order', () => {
		assert.deepEqual(check('zh-cn', 'Open {1} from `{0}`…', '从 `{0}` 打开 {1}…'), []);
		assert.deepEqual(check('ja', "Delete '{0}' from {1}?", "{1} から '{0}' を削除しますか?"), []);
		assert.deepEqual(check('zh-cn', 'Agent Workbench: {0} API', 'Agent Workbench: {0} API'), []);
	});

	for (const [what, english, translation] of [
		['an empty translation', 'Open', ' '],
		['an object', 'Open', {}],
		['another placeholder', 'Open {0}', '打开 {1}'],
		['other text in backticks', 'Open `a.yml`', '打开 `b.yml`'],
		['another link', '[Open](command:a)', '[打开](command:b)'],
		['another icon', '$(add) Open', '$(plus) 打开'],
		['another number of lines', 'Open\nClose', '打开，关闭'],
		['an additional ellipsis', 'Open', '打开…'],
		['the English text', 'Open it', 'Open it'],
		['Latin letters next to Chinese ones', 'Open YAML', '打开YAML'],
		['full-width question marks', 'Open?', '是否打开？'],
		['a space next to a parenthesis', 'Open (all)', '打开 (全部)'],
		['an English name of a key', 'Press Up', '按 Up 键'],
		['a half-width comma', 'Open, close', '打开,关闭'],
		['another word for a term', 'Open the node', '打开结点'],
	] as const) {
		it(`refuses ${what}`, () => assert.equal(check('zh-cn', english, translation).length, 1));
	}

	it('refuses Japanese that breaks the style rules', () => {
		assert.equal(check('ja', 'Open the server', 'サーバを開く').length, 1);
		assert.equal(check('ja', "Open '{0}'", '「{0}」 を開く').length, 1);
		assert.equal(check('ja', 'Open {0}', '{0}を開く').length, 1);
	});
});
