import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { TreeChanges } from '#editor/explorer/treeChanges.ts';

interface Named {
	readonly name: string;
	readonly parent?: Named;
}

describe('changes of a tree', () => {
	const agent: Named = { name: 'agent' };
	const logs: Named = { name: 'logs', parent: agent };
	const run: Named = { name: 'run', parent: agent };
	let emitted: { at: number; names: string[] | undefined }[];
	let changes: TreeChanges<Named>;
	let now: number;
	const advanceClock = (ms: number): void => {
		for (let left = ms; left > 0; left--) {
			now++;
			mock.timers.tick(1);
		}
	};
	beforeEach(() => {
		mock.timers.enable({ apis: ['setTimeout'] });
		now = 0;
		emitted = [];
		changes = new TreeChanges(nodes => emitted.push({ at: now, names: nodes?.map(({ name }) => name) }));
	});
	afterEach(() => {
		changes.dispose();
		mock.timers.reset();
	});

	it('are reported immediately after a quiet period, and together if they are made in one turn', () => {
		changes.add(logs);
		changes.add(run, logs);
		advanceClock(1);
		assert.deepEqual(emitted, [{ at: 1, names: ['logs', 'run'] }]);
	});

	it("are reported at intervals longer than VS Code's debounce", () => {
		for (let n = 0; n < 1000; n += 10) {
			changes.add(run);
			advanceClock(10);
		}
		const gaps = emitted.slice(1).map(({ at }, n) => at - emitted[n]!.at);
		assert.ok(gaps.length >= 3 && gaps.every(gap => gap > 200 && gap < 250), gaps.join(', '));
	});

	it('are held back while the children of the node or its parent are loaded', async () => {
		const children = Promise.withResolvers<string[]>();
		const handedOver = changes.loadChildren(logs, () => children.promise);
		changes.add(logs, agent);
		advanceClock(1);
		assert.deepEqual(emitted, [{ at: 1, names: ['agent'] }]);
		advanceClock(1000);
		assert.equal(emitted.length, 1, 'not while the children are awaited');
		children.resolve(['first']);
		assert.deepEqual(await handedOver, ['first']);
		advanceClock(20);
		assert.equal(emitted.length, 1, 'nor just after');
		advanceClock(100);
		assert.deepEqual(emitted[1]?.names, ['logs']);
		advanceClock(1000);
		await changes.loadChildren(agent, async () => [logs, run]);
		changes.add(run);
		advanceClock(20);
		assert.equal(emitted.length, 2);
		advanceClock(100);
		assert.deepEqual(emitted[2]?.names, ['run']);
	});

	it('of the whole tree are held back while its roots are loaded', async () => {
		const handedOver = changes.loadChildren(undefined, async () => []);
		changes.add(undefined);
		advanceClock(20);
		assert.deepEqual(emitted, []);
		await handedOver;
		advanceClock(100);
		assert.deepEqual(
			emitted.map(({ names }) => names),
			[undefined],
		);
	});

	it('can be awaited for a single node', async () => {
		const never = changes.loadChildren(run, () => new Promise(() => {}));
		changes.add(run, logs);
		const logsTold = changes.waitForReport(logs);
		advanceClock(1);
		await logsTold;
		assert.deepEqual(emitted[0]?.names, ['logs']);
		await changes.waitForReport(agent);
		const runTold = changes.waitForReport(run);
		changes.dispose();
		await runTold;
		void never;
	});
});
