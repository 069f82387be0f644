import assert from 'node:assert/strict';
import { CellSelection, findCellMove } from '#pages/shared/table/cellSelection.ts';

const createCell = (row: string, column: string) => ({ row, column });

describe('selected cells of a table', () => {
	it('are at most two, of which another one replaces the second', () => {
		const cells = new CellSelection();
		cells.select(createCell('1', 'a'), 'one');
		cells.select(createCell('1', 'b'), 'pair');
		cells.select(createCell('2', 'b'), 'pair');
		assert.deepEqual(cells.chosen, [createCell('1', 'a'), createCell('2', 'b')]);
		cells.select(createCell('3', 'a'), 'toggle');
		assert.deepEqual(cells.chosen, [createCell('1', 'a'), createCell('3', 'a')]);
		cells.select(createCell('4', 'a'), 'one');
		assert.deepEqual(cells.chosen, [createCell('4', 'a')]);
	});

	it('are never the same cell twice, and a toggle removes one', () => {
		const cells = new CellSelection();
		cells.select(createCell('1', 'a'), 'one');
		cells.select(createCell('1', 'a'), 'pair');
		assert.deepEqual(cells.chosen, [createCell('1', 'a')]);
		cells.select(createCell('2', 'a'), 'toggle');
		cells.select(createCell('1', 'a'), 'toggle');
		assert.deepEqual(cells.chosen, [createCell('2', 'a')]);
		assert.ok(cells.has(createCell('2', 'a')) && !cells.has(createCell('1', 'a')));
	});

	it('are moved to with arrow keys, which stop at the edges, and toggled with the space bar', () => {
		const press = (key: string, more: { shiftKey?: boolean; ctrlKey?: boolean; to?: number; column?: string } = {}) => {
			const { to, column = 'a', ...keys } = more;
			const event = { key, shiftKey: false, ctrlKey: false, metaKey: false, ...keys };
			return findCellMove(event, { columns: ['a', 'b'], column, place: 3, to });
		};
		assert.deepEqual(press('ArrowRight'), { place: 3, column: 'b', how: 'one' });
		assert.deepEqual(press('ArrowRight', { column: 'b', shiftKey: true }), { place: 3, column: 'b', how: 'pair' });
		assert.deepEqual(press('ArrowLeft'), { place: 3, column: 'a', how: 'one' });
		assert.deepEqual(press('ArrowDown', { to: 4, ctrlKey: true }), { place: 4, column: 'a', how: 'move' });
		assert.deepEqual(press('ArrowDown', { to: 4, column: 'gone' }), { place: 4, column: 'a', how: 'one' });
		assert.deepEqual(press(' '), { place: 3, column: 'a', how: 'toggle' });
		assert.equal(press('Enter'), undefined);
	});
});
