import assert from 'node:assert/strict';
import { RunBars } from '#runs/events/runBars.ts';

describe('the bars of a run', () => {
	it('track a limited number of nodes, groups and containers', () => {
		const running = new RunBars();
		const groups = new RunBars();
		const containers = new RunBars();
		for (let i = 0; i < 10_000; i++) {
			running.startNode({ id: `n${i}` });
			groups.startNode({ id: 'n', round: i });
			groups.endNode({ id: 'n', round: i });
			containers.openContainer({ id: `n${i}` }, '│ ');
		}
		assert.ok(running.getNodeBars({ id: 'n9999' }).length > 32);
		assert.equal(running.startNode({ id: 'further' }), '│ ');
		groups.startNode({ id: 'first', round: -1 });
		assert.equal(groups.startNode({ id: 'second', round: -1 }), '│ ');
		containers.openContainer({ id: 'further' }, '│ ');
		assert.equal(containers.startNode({ id: 'n', parent: 'n9000' }), '│ │ ');
		assert.equal(containers.startNode({ id: 'n', parent: 'further' }), '│ ');
	});
});
