import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { SuiteItems } from '#editor/suites/explorer/suiteItems.ts';
import { SuiteFixture } from '../../../suites/results/suiteFixture.ts';

class Collection extends Map<string, vscode.TestItem> {
	add(item: vscode.TestItem): void {
		this.set(item.id, item);
	}
	replace(items: readonly vscode.TestItem[]): void {
		this.clear();
		for (const item of items) {
			this.add(item);
		}
	}
}

describe('items of the Test Explorer', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	it("don't show the result of a row at another row that has its number now", async () => {
		const createTestItem = (id: string, label: string, uri: vscode.Uri) => ({ id, label, uri, children: new Collection() });
		const items = new SuiteItems({ items: new Collection(), createTestItem } as unknown as vscode.TestController);
		const uri = vscode.Uri.file(path.resolve('one.suite.json'));
		const listRows = async (...rows: readonly string[]) => {
			fixture.writeFile('rows.csv', ['id', ...rows, ''].join('\n'));
			const read = await fixture.readSuite({ model: 'a', dataset: { file: 'rows.csv', name: '{{id}}' } });
			items.updateSuite(uri, read);
			await items.resolveDataset(read.suite!, uri);
			return [...items.getDatasetItem(uri)!.children].map(([, item]) => item);
		};
		const before = await listRows('x', 'y');
		assert.deepEqual(await listRows('x', 'y', 'z').then(rows => rows.slice(0, 2)), before, 'rows that are where they were keep theirs');
		const now = await listRows('new', 'x', 'y');
		assert.deepEqual(
			now.map(({ label }) => label),
			['new', 'x', 'y'],
		);
		assert.ok(now.every(({ id }) => before.every(each => each.id !== id)));
	});
});
