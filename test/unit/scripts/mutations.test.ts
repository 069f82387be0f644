import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { visitSourceFiles } from '../../../scripts/lib/sourceFiles.ts';
import { applyMutation, findMutations, type Mutation, pickMutations } from '../../../scripts/mutations/findMutations.ts';
import { TestOrder } from '../../../scripts/mutations/testOrder.ts';

describe('mutations', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mutations-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const write = (file: string, text: string) => {
		fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		fs.writeFileSync(path.join(folder, file), text);
	};
	const listMutations = (text: string): readonly Mutation[] => {
		write('src/a.ts', text);
		write('tsconfig.json', '{ "compilerOptions": { "noLib": true, "types": [] }, "include": ["src"] }');
		const found: Mutation[] = [];
		const project = { file: path.join(folder, 'tsconfig.json'), folder };
		visitSourceFiles((file, source) => found.push(...findMutations(file, source, source.text)), project);
		return found;
	};
	const listChanges = (text: string) => listMutations(text).map(mutation => applyMutation(mutation, text));

	it('change comparisons, conditions, logic, calls, numbers, results and strings', () => {
		assert.deepEqual(listChanges('x = a < b;'), ['x = a <= b;']);
		assert.deepEqual(listChanges('x = a === b;'), ['x = a !== b;']);
		assert.deepEqual(listChanges('if (a) {}'), ['if (!(a)) {}']);
		assert.deepEqual(listChanges('x = a ? b : c;'), ['x = !(a) ? b : c;']);
		assert.deepEqual(listChanges('x = a || b;'), ['x = ((a) && (b));']);
		assert.deepEqual(listChanges('send();'), ['{}']);
		assert.deepEqual(listChanges('x = y[0];'), ['x = y[1];']);
		assert.deepEqual(listChanges('function f(): void { x; }'), ['function f(): void { return; x; }']);
		assert.deepEqual(listChanges("x = 'succeeded';"), ["x = '';"]);
	});

	it('leave types, imports, comments, sentences and large numbers alone', () => {
		const text = [
			"import a from 'a';",
			"type Status = 'on' | 1;",
			'/* a < b */',
			"x = t('Stopped');",
			"x = { title: 'Stopped' };",
			"x = 'Not stopped yet';",
			"throw new Error('stopped');",
			'x = 30_000;',
			'function f(): number { return x; }',
		];
		assert.deepEqual(listChanges(text.join('\n')), []);
	});

	it('are picked by the seed, each once', () => {
		const all = listMutations('x = [1, 2, 3]; send(); if (a < b) { x = c && d; }');
		assert.equal(new Set(pickMutations(all, 100, 1)).size, all.length);
		assert.deepEqual(pickMutations(all, 3, 5), pickMutations(all, 3, 5));
		assert.notDeepEqual(pickMutations(all, 3, 5), pickMutations(all, 3, 6));
	});

	it('are tested by the files that reach the source, by layer, distance and name', () => {
		write('src/base/a.ts', '');
		write('src/base/b.ts', "import { a } from './a.ts';\nimport type { C } from './c.ts';");
		write('src/base/c.ts', '');
		write('src/gateway/main.ts', "await import('#base/b.ts');");
		write('test/unit/base/b.test.ts', "import { b } from '#base/b.ts';");
		write('test/unit/base/other.test.ts', "import { a } from '#base/a.ts';");
		write('test/unit/base/a.test.ts', "import { a } from '#base/a.ts';");
		write('test/unit/base/endless.test.ts', "import { a } from '#base/a.ts';");
		write('test/unit/base/c.test.ts', "import type { A } from '#base/a.ts';");
		write('test/contract/runs.test.ts', '');
		const order = new TestOrder(folder);
		assert.deepEqual(
			order.listReachingFiles('src/base/a.ts').map(({ file, distance, isRest }) => [file, distance, isRest]),
			[
				['test/unit/base/a.test.ts', 1, false],
				['test/unit/base/endless.test.ts', 1, true],
				['test/unit/base/other.test.ts', 1, false],
				['test/unit/base/b.test.ts', 2, false],
				['test/contract/runs.test.ts', 2, false],
			],
		);
		assert.deepEqual(order.listReachingFiles('src/base/c.ts'), []);
	});
});
