import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../../../../scripts/lib/tempFolder.ts';
import { findSources } from '../../../../scripts/release/checks/manifestFields.ts';
import { replaceOwner, replacePublisher } from '../../../../scripts/release/owner.ts';

describe('the owner of the repository', () => {
	let folder: string;
	beforeEach(() => {
		folder = makeTempFolder();
		write('package.json', manifest);
	});
	afterEach(() => removeFolder(folder));

	const manifest = '{ "name": "tool", "publisher": "ana", "repository": { "url": "https://github.com/ana/tool.git" } }';
	const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');
	function write(file: string, text: string): void {
		fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		fs.writeFileSync(path.join(folder, file), text);
	}

	it('is replaced in the manifest, pages, workflows and container files, again and again', () => {
		write('README.md', 'https://github.com/ana/tool/issues, banana/tool, ana/toolbox, Ana and ana');
		write('.github/workflows/ci.yml', "if: github.repository == 'ana/tool'");
		write('.github/CODEOWNERS', '* @ana\n/docs @ana-b @ana/team');
		write('Dockerfile', 'LABEL source=https://github.com/ana/tool');
		assert.deepEqual(replaceOwner(folder, 'ben'), [
			'.github/CODEOWNERS',
			'.github/workflows/ci.yml',
			'Dockerfile',
			'README.md',
			'package.json',
		]);
		assert.equal(read('README.md'), 'https://github.com/ben/tool/issues, banana/tool, ana/toolbox, Ana and ana');
		assert.equal(read('.github/CODEOWNERS'), '* @ben\n/docs @ana-b @ana/team');
		replaceOwner(folder, 'c-d');
		assert.match(read('package.json'), /"publisher": "ana".*github\.com\/c-d\/tool\.git/);
		assert.equal(read('Dockerfile'), 'LABEL source=https://github.com/c-d/tool');
		assert.deepEqual([findSources(folder, 'c-d/tool').length, findSources(folder, 'ben')], [4, []]);
	});

	it('leaves installed, built and binary files alone', () => {
		write('node_modules/a/package.json', 'ana/tool');
		write('dist/a.js', 'ana/tool');
		write('a.png', 'ana/tool\0');
		assert.deepEqual(replaceOwner(folder, 'ben'), ['package.json']);
	});

	it("is refused if it can't be one", () => {
		assert.throws(() => replaceOwner(folder, 'a b'), /'a b' can't be an owner/);
		assert.throws(() => replacePublisher(folder, ''), /'' can't be a publisher/);
	});

	it('can differ from the publisher, which is part of the ID', () => {
		write('a.ts', "'ana.tool#start', 'xana.tool', 'ana.tools'");
		replacePublisher(folder, 'org');
		assert.equal(read('a.ts'), "'org.tool#start', 'xana.tool', 'ana.tools'");
		assert.match(read('package.json'), /"publisher": "org".*github\.com\/ana\/tool\.git/);
	});
});
