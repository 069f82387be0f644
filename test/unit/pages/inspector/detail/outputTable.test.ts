import assert from 'node:assert/strict';
import { createOutputTable } from '#pages/inspector/detail/outputTable.ts';

const createTable = (value: unknown) =>
	createOutputTable([{ name: 'out', text: JSON.stringify(value), isText: false, cut: false }], ['Name', 'Value']);

describe('the table of outputs', () => {
	it('has a column for each field of a list of objects', () => {
		assert.deepEqual(createTable([{ a: 1 }, { b: 'x' }]), {
			columns: ['a', 'b'],
			rows: [
				['1', ''],
				['', 'x'],
			],
			cut: false,
		});
	});

	it('shows objects whose fields all differ as one value instead of a million cells', () => {
		const list = Array.from({ length: 2000 }, (_, at) => ({ [`field${at}`]: at }));
		assert.deepEqual(createTable(list), { columns: ['Name', 'Value'], rows: [['out', JSON.stringify(list)]], cut: false });
	});

	it('says that it shows only the first rows', () => {
		const { rows, cut } = createTable(Array.from({ length: 1001 }, (_, n) => ({ n })));
		assert.deepEqual([rows.length, cut], [1000, true]);
	});
});
