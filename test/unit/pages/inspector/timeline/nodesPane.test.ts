import assert from 'node:assert/strict';
import path from 'node:path';
import type { NodesPane } from '#pages/inspector/timeline/nodesPane.ts';
import { type PageWindow, runPage } from '../../graph/nodeForm/pageBundle.ts';

const source = path.resolve(import.meta.dirname, '../../../../../src/pages/inspector/timeline/nodesPane.ts');
const graph = { x: 0, y: 0, width: 1, height: 1, nodes: [], edges: [], loose: [], notes: [], placed: [] };

describe('the nodes of the inspector', () => {
	let loaded: PageWindow<{ NodesPane: typeof NodesPane }>;
	before(async () => {
		loaded = await runPage(source);
		Object.assign(loaded.window, {
			ResizeObserver: class {
				observe() {}
			},
		});
		loaded.window.HTMLCanvasElement.prototype.getContext = (() => null) as never;
	});
	after(() => loaded.window.close());

	/** Creates a pane with a chosen view; `asked` has a request for the graph for each time that it's needed. */
	const createPane = (view: 'graph' | 'timeline') => {
		const asked: string[] = [];
		const pane = new loaded.exports.NodesPane(
			{
				onSelected() {},
				onEntered() {},
				onSourceRequested() {},
				onCollapsedChanged() {},
				onSearched() {},
				onViewChosen: chosen => asked.push(chosen),
				onGraphRequested: () => asked.push('requested'),
			},
			{ collapsed: [], query: '', view },
		);
		return { pane, asked };
	};

	it('request the graph of a file once', () => {
		const { pane, asked } = createPane('graph');
		pane.setGraph({ file: 'a.yml' });
		pane.setGraph({ file: 'a.yml', graph });
		pane.setGraph({ file: 'a.yml' });
		assert.deepEqual(asked, ['requested']);
	});

	it("don't request a graph that isn't shown, or doesn't exist", () => {
		const { pane, asked } = createPane('timeline');
		pane.setGraph({ file: 'a.yml' });
		assert.deepEqual(asked, []);
		pane.setGraph({ file: 'a.yml', why: 'The file was deleted.' });
		pane.toggle.toggle();
		assert.deepEqual(asked, ['graph']);
	});
});
