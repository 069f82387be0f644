import assert from 'node:assert/strict';
import path from 'node:path';
import { type PageWindow, runPage } from '../../graph/nodeForm/pageBundle.ts';
import type * as view from './headView.ts';

/** Copies arrays of the page's window, which have another prototype. */
const copyCalls = (calls: unknown[][]) => Array.from(calls, call => Array.from(call));

describe('the header of a table', () => {
	let page: PageWindow<typeof view>;
	before(async () => {
		page = await runPage(path.join(import.meta.dirname, 'headView.ts'));
	});
	after(() => page.window.close());

	it('is one tab stop in which keys move, sort, resize and reset', () => {
		const { head, calls } = page.exports.renderHead();
		const [time, name] = head.querySelectorAll<HTMLElement>('[role=columnheader]');
		assert.ok(time && name);
		assert.deepEqual([time.tabIndex, name.tabIndex], [0, -1]);
		const press = (cell: HTMLElement, key: string, shiftKey = false) =>
			cell.dispatchEvent(new page.window.KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
		press(time, 'ArrowRight');
		press(time, 'Enter');
		press(time, 'ArrowRight', true);
		press(time, 'Delete');
		// the last column takes the rest of the width
		press(name, 'ArrowRight', true);
		press(name, 'Enter');
		assert.deepEqual(copyCalls(calls), [
			['focus', 'name'],
			['sort', 'time'],
			['resize', 'time', 16, true],
			['resize', 'time', undefined, true],
		]);
	});

	it('has a border to drag after each column but the last', () => {
		const { head, calls } = page.exports.renderHead();
		const borders = head.querySelectorAll<HTMLElement>('.columnBorder');
		assert.equal(borders.length, 1);
		borders[0]?.dispatchEvent(new page.window.MouseEvent('dblclick'));
		assert.deepEqual(copyCalls(calls), [['resize', 'time', undefined, true]]);
	});
});

describe('a cell of a table', () => {
	let page: PageWindow<typeof view>;
	before(async () => {
		page = await runPage(path.join(import.meta.dirname, 'headView.ts'));
	});
	after(() => page.window.close());

	it('shows its text, after an icon if it has one', () => {
		const { renderSingleCell } = page.exports;
		assert.equal(renderSingleCell('12:30').textContent, '12:30');
		assert.equal(renderSingleCell('12:30').querySelector('span'), null);
		const cell = renderSingleCell({ text: 'passed', icon: 'codicon codicon-pass', lead: '2 × ' });
		assert.equal(cell.textContent, '2 × passed');
		assert.equal(cell.querySelector('.codicon-pass')?.getAttribute('aria-hidden'), 'true');
	});
});
