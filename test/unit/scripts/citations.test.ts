import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const sources = fs.globSync('{src,test,scripts}/**/*.{ts,mjs,cjs,md}', { cwd: root, exclude: ['**/node_modules/**'] });

/** Returns files with citations in this form that a page doesn't contain. */
function findUnknownCitations(form: RegExp, exists: (cited: string) => boolean): string[] {
	return sources.flatMap(file => [...read(file).matchAll(form)].flatMap(match => (exists(match[1] ?? '') ? [] : [`${file}: ${match[0]}`])));
}

describe('comments that cite docs/internals', () => {
	it('name sections of the wire facts that exist', () => {
		const page = read('docs/internals/wire-facts.md');
		assert.deepEqual(
			findUnknownCitations(/\bwire facts (\d(?:\.\d)?)/gi, cited => new RegExp(`^##+ ${cited}\\.? `, 'm').test(page)),
			[],
		);
	});

	it('name decisions that exist', () => {
		const page = read('docs/internals/decisions.md');
		assert.deepEqual(
			findUnknownCitations(/\bdecision (\d+)\b/g, cited => page.includes(`\n${cited}. **`)),
			[],
		);
	});

	it('name endpoints and sections of the contract that exist', () => {
		const page = read('docs/internals/contract.md');
		assert.deepEqual(
			findUnknownCitations(/\bcontract ([A-E]\d)\b/g, cited => page.includes(`| ${cited} |`) || page.includes(`**${cited}**`)),
			[],
		);
		assert.deepEqual(
			findUnknownCitations(/\bcontract, "([^"]+)"/g, cited => page.includes(`## ${cited}\n`)),
			[],
		);
	});

	it('name no document outside the repository', () => {
		const form = /\b((?:DESIGN|UX|BUDGETS|WORDS|STYLE)\.md|workflow-dsl(?:-additions)?(?:\.md)?|service-interface(?:\.md)?)/g;
		assert.deepEqual(
			findUnknownCitations(form, () => false).filter(each => !each.startsWith('test/unit/scripts/citations.test.ts')),
			[],
		);
	});
});
