// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tests are code in strings
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { extractStrings } from '../../../../scripts/l10n/extractStrings.ts';

describe('extractStrings', () => {
	let folder: string;

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strings-'));
	});

	after(() => fs.rmSync(folder, { recursive: true }));

	function extract(code: string) {
		const file = path.join(folder, 'tsconfig.json');
		fs.writeFileSync(file, '{ "compilerOptions": { "noLib": true, "types": [] }, "files": ["code.ts"] }');
		fs.writeFileSync(path.join(folder, 'code.ts'), code);
		return extractStrings({ file, folder });
	}

	it('finds literals of t, its members and the tag localizable, with the keys that the editor uses', () => {
		const { strings, faults } = extract(String.raw`
			t('plain'); l10n.t("It's {0}", 1); this.#t(${'`'}line\nline${'`'}); a.b.t('C:\\u0041');
			t({ message: 'Run', args: [1], comment: ['verb: ', 'a button'] });
			throw new ServiceFault(400, localizable${'`'}'${'${name}'}' isn't ${'${kind}'}.${'`'});
			position.translate('no');
		`);
		assert.deepEqual([...strings.keys()], ['plain', "It's {0}", 'line\nline', 'C:\\u0041', 'Run/verb: a button', "'{0}' isn't {1}."]);
		assert.deepEqual(faults, []);
		assert.deepEqual(strings.get('Run/verb: a button'), { message: 'Run', comment: ['verb: ', 'a button'], files: ['code.ts'] });
	});

	for (const [what, code] of Object.entries({
		'a variable': 't(text)',
		'a choice': "t(a ? 'x' : 'y')",
		'a sum': "t('x' + 'y')",
		'a template with values': '`${t(`x ${y}`)}`',
		'the object form without a comment': "t({ message: 'x' })",
		'an escape': String.raw`t('x\u2026')`,
		'an outer space': "t('or ')",
		'a string glued to words': "`${t('x')}: ${y}`",
		'two strings glued': "`${t('x')} ${t('y')}`",
		'a string in a sum': "t('x') + y",
		'another name for t': 'function f(words: Translate) {}',
		'a number without a language': 'n.toLocaleString()',
		'a date with the language of the machine': "new Date(1).toLocaleDateString(undefined, { day: 'numeric' })",
	})) {
		it(`refuses ${what}`, () => {
			assert.deepEqual(
				extract(`\n${code};`).faults.map(({ file, line }) => `${file}:${line}`),
				['code.ts:2'],
			);
		});
	}

	it('accepts a string among icons, Markdown and separate sentences', () => {
		const { faults } = extract(
			"`$(sync~spin) ${t('x')} · ${t('y')}`; `**${t('x')}**\\n\\n${y}`; `${t('One.')} ${t('Two.')}`; n.toLocaleString('en');",
		);
		assert.deepEqual(faults, []);
	});

	it('finds the buttons of a message', () => {
		const { buttons } = extract(
			"window.showWarningMessage(t('Sure?'), { modal: true }, t('Delete'), isFile ? t('Remove') : t('Clear')); showInformationMessage(t('x'), t('y'));",
		);
		assert.deepEqual(buttons, [['Delete', 'Remove', 'Clear']]);
	});
});
