import { render } from 'lit';
import type { ResultsStrings } from '#pages/results/resultsStrings.ts';
import type { TrendView } from '#pages/results/trend/trendMessages.ts';
import { TrendPane } from '#pages/results/trend/trendPane.ts';

/** Shows a trend in a document. */
export function showTrend(trend: TrendView, strings: ResultsStrings) {
	globalThis.ResizeObserver = class {
		observe() {}
		unobserve() {}
		disconnect() {}
	};
	const [root, opened]: [HTMLElement, string[]] = [document.body, []];
	const renderPane = () => {
		render([pane.renderStatus(strings), pane.renderMain(strings)], root);
		pane.updateTable(strings);
	};
	const pane: TrendPane = new TrendPane({ render: renderPane, openBatch: id => opened.push(id), resize: () => {} });
	renderPane();
	const isEmptyFirst = root.querySelector('main')!.textContent === '';
	// room for rows and all columns
	Object.defineProperties(pane.table.element, { clientHeight: { value: 400 }, clientWidth: { value: 1600 } });
	pane.applyTrend(trend);
	const press = (key: string) => pane.table.element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
	return { root, opened, pane, press, isEmptyFirst };
}
