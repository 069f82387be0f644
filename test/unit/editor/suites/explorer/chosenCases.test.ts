import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { findFirstOrdinal, resolveOrdinals } from '#editor/suites/explorer/chosenCases.ts';
import type { ItemSubject } from '#editor/suites/explorer/suiteItems.ts';
import type { Suite } from '#suites/suite.ts';
import { SuiteFixture } from '../../../suites/results/suiteFixture.ts';

describe('cases that were chosen before their suite was edited', () => {
	let fixture: SuiteFixture;
	const uri = vscode.Uri.file(path.resolve('one.suite.json'));
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	const readEdited = (cases: readonly string[], rows: readonly string[]): Promise<Suite> => {
		fixture.writeFile('rows.csv', ['id', ...rows, ''].join('\n'));
		return fixture.readValidSuite({ model: 'a', cases: cases.map(name => ({ name })), dataset: { file: 'rows.csv', name: '{{id}}' } });
	};
	const resolve = async (item: ItemSubject, suite: Suite) => [...(await resolveOrdinals({ uri, items: [item], excluded: [] }, suite))!];

	it('are found by name after cases and rows were added before them', async () => {
		const suite = await readEdited(['new', 'one', 'two'], ['x', 'y', 'z']);
		const two = { kind: 'case', uri, ordinal: 1, name: 'two' } as const;
		assert.deepEqual(await resolve(two, suite), [2]);
		assert.equal(await findFirstOrdinal([two], suite), 2);
		const row = { kind: 'row', uri, ordinal: 3, name: 'z', row: 2 } as const;
		assert.deepEqual(await resolve(row, suite), [5]);
		assert.equal(await findFirstOrdinal([row], suite), 5);
	});

	it('are the row with the same number among rows of one name, or the one with the number if the name is gone', async () => {
		const suite = await readEdited(['new', 'one'], ['x', 'x', 'x']);
		assert.deepEqual(await resolve({ kind: 'row', uri, ordinal: 2, name: 'x', row: 2 }, suite), [3]);
		assert.deepEqual(await resolve({ kind: 'row', uri, ordinal: 2, name: 'was', row: 2 }, suite), [3]);
		assert.deepEqual(await resolve({ kind: 'case', uri, ordinal: 1, name: 'was' }, suite), [1]);
	});
});
