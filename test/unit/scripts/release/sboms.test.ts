import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../../../../scripts/lib/tempFolder.ts';
import { compareParts, findMissingNotices, listPackageNames, validateSbom } from '../../../../scripts/release/checks/sboms.ts';
import { createSbom, listBundledInputs } from '../../../../scripts/release/sbom.ts';

const part = { name: '@a/b', version: '1.2.3', license: 'MIT', text: 'Do as you like.', source: 'https://github.com/a/b' };
const other = { name: 'c', version: '', license: 'MPL-2.0 OR Apache-2.0', text: '', source: '' };

describe('an SBOM', () => {
	let folder: string;
	beforeEach(() => {
		folder = makeTempFolder();
	});
	afterEach(() => removeFolder(folder));

	function create(): Record<string, unknown> & { components: { group?: string; name: string; version?: string }[] } {
		const file = path.join(folder, 'a.tgz');
		fs.writeFileSync(file, 'package');
		const subject = { name: 'tool', version: '1.0.0', license: 'MIT', purl: 'pkg:npm/tool', file, date: '2026-11-27' };
		return createSbom(subject, [part, other]) as ReturnType<typeof create>;
	}

	it('fits the schema and names the hash of its package', () => {
		assert.deepEqual(validateSbom(create()), []);
		assert.deepEqual(create(), create());
		assert.match(JSON.stringify(create()['metadata']), /"content":"[\da-f]{64}"/);
	});

	it("doesn't fit the schema with a wrong field or license", () => {
		assert.notDeepEqual(validateSbom({ ...create(), specVersion: 1.6, bomFormat: 'Other' }), []);
		const component = { type: 'library', name: 'a', licenses: [{ license: { id: 'My-License' } }] };
		assert.notDeepEqual(validateSbom({ ...create(), components: [component] }), []);
	});

	it('lists packages of which at least one byte is in a package', () => {
		const outputs = {
			'dist/a.js': {
				inputs: {
					'src/a.ts': { bytesInOutput: 9 },
					'../main/node_modules/@a/b/index.js': { bytesInOutput: 9 },
					'node_modules/shaken/index.js': { bytesInOutput: 0 },
					'node_modules/d/node_modules/c/index.js': { bytesInOutput: 1 },
				},
			},
			'dist/other.js': { inputs: { 'node_modules/e/index.js': { bytesInOutput: 9 } } },
		};
		assert.deepEqual(listPackageNames({ outputs }, new Map([['dist/a.js', Buffer.alloc(0)]])), ['@a/b', 'c']);
		assert.equal(listBundledInputs({ outputs }, output => output === 'dist/a.js').length, 3);
	});

	it('is reported if it lacks a bundled package or lists another one', () => {
		assert.deepEqual(compareParts(create(), ['@a/b', 'c']), []);
		assert.deepEqual(compareParts(create(), ['@a/b', 'd']), ['d is bundled, but not listed', 'c is listed, but not bundled']);
	});

	it('is reported if the notices lack a license text', () => {
		const separator = `\n${'='.repeat(80)}\n`;
		const notices = ['Notices', `@a/b 1.2.3 (MIT)\n\n${'text '.repeat(100)}`, 'c (Apache-2.0)\n\nCopyright C'].join(separator);
		assert.deepEqual(findMissingNotices(create(), notices), ['c has no license text in the notices']);
	});
});
