import assert from 'node:assert/strict';
import fc from 'fast-check';
import { VariableLog } from '#engine/variables/variableLog.ts';
import { VariablePool } from '#engine/variables/variables.ts';

const node = fc.constantFrom('a', 'b', 'sys', 'conversation');
const name = fc.constantFrom('x', 'y');
/** A write to one of three pools: the outer one, and two copies of it. */
const writes = fc.array(
	fc.record({
		pool: fc.nat(2),
		how: fc.constantFrom('all' as const, 'some' as const, 'assign' as const, 'put' as const, 'remove' as const),
		node,
		name,
		value: fc.integer({ min: 0, max: 9 }),
	}),
	{ maxLength: 40 },
);

describe('VariableLog', () => {
	it('shows the values of every pool as they were at each position', () =>
		fc.assert(
			fc.property(writes, fc.nat(40), (steps, dropped) => {
				const log = new VariableLog();
				const outer = new VariablePool(undefined, log);
				const pools = [outer, VariablePool.createCopy(outer), VariablePool.createCopy(outer)];
				const seen = [{ position: log.position, state: describeState(pools) }];
				for (const step of steps) {
					applyWrite(pools[step.pool] as VariablePool, step);
					seen.push({ position: log.position, state: describeState(pools) });
				}
				const first = Math.min(dropped, log.position);
				log.dropWritesBefore(first);
				for (const { position, state } of seen.filter(each => each.position >= first)) {
					const copies = new Map<VariablePool, VariablePool>();
					assert.deepEqual(describeState(pools.map(pool => pool.copyAt(position, copies))), state);
				}
				assert.deepEqual(describeState(pools), seen.at(-1)?.state, 'reading the past changes nothing');
			}),
		));

	it('weighs what it keeps, and forgets the weight of what it drops', () => {
		const log = new VariableLog();
		const pool = new VariablePool(undefined, log);
		pool.setAllValues('a', { x: 'x'.repeat(1000) });
		const { position, weight } = log;
		assert.ok(weight >= 1000);
		pool.setAllValues('a', { x: 'y'.repeat(500) });
		assert.ok(log.weight >= weight + 500);
		log.dropWritesBefore(position);
		assert.ok(log.weight < 1000, String(log.weight));
		log.dropWritesBefore(log.position);
		assert.equal(log.weight, 0);
	});

	it('logs nothing that a node tries out in a temporary copy', () => {
		const log = new VariableLog();
		const pool = new VariablePool(undefined, log);
		new VariablePool(pool).assignVariable('a', 'x', 1);
		assert.equal(log.position, 0);
	});
});

function applyWrite(
	pool: VariablePool,
	{ how, node: id, name: variable, value }: (typeof writes extends fc.Arbitrary<infer T> ? T : never)[number],
) {
	switch (how) {
		case 'all':
			return pool.setAllValues(id, { [variable]: value });
		case 'some':
			return pool.addValues(id, { [variable]: value });
		case 'assign':
			return pool.assignVariable(id, variable, value);
		case 'put':
			return pool.putVariable(id, variable, value);
		case 'remove':
			return pool.removeNode(id);
	}
}

function describeState(pools: readonly VariablePool[]) {
	return pools.map(pool => Object.fromEntries([...pool.listNodeIds()].sort().map(id => [id, pool.getAllValues(id)])));
}
