import assert from 'node:assert/strict';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { TypedEdits } from '#pages/graph/nodeForm/typedEdits.ts';

const createSetOperation = (field: string, value: string): GraphOperation => ({ do: 'set', node: 'n', path: [field], value });

describe('text typed in a form', () => {
	function createTypedEdits(pauseMs = 60_000) {
		const done: GraphOperation[] = [];
		let onApplied = () => {};
		const waitForNextEdit = () => new Promise<void>(resolve => (onApplied = resolve));
		const queue = new TypedEdits<{ readonly operation: GraphOperation }>(async ({ operation }) => {
			await undefined;
			done.push(operation);
			onApplied();
		}, pauseMs);
		const edits = {
			typed: (operation: GraphOperation) => queue.addTypedValue({ operation }),
			edit: (operation: GraphOperation) => queue.applyEdit({ operation }),
			step: (act: () => Promise<void>) => queue.runAfterEdits(act),
			flush: () => queue.flushEdits(),
		};
		return { edits, done, once: waitForNextEdit };
	}

	it('becomes one edit at each pause', async () => {
		const { edits, done, once } = createTypedEdits(5);
		edits.typed(createSetOperation('a', '1'));
		edits.typed(createSetOperation('a', '12'));
		await once();
		assert.deepEqual(done, [createSetOperation('a', '12')]);
		await edits.flush();
		assert.equal(done.length, 1);
	});

	it('is combined with the edit on blur', async () => {
		const { edits, done } = createTypedEdits();
		edits.typed(createSetOperation('a', '1'));
		await edits.edit(createSetOperation('a', '12'));
		await edits.flush();
		assert.deepEqual(done, [createSetOperation('a', '12')]);
	});

	it('is written before other operations', async () => {
		const { edits, done } = createTypedEdits();
		edits.typed(createSetOperation('a', '1'));
		edits.typed(createSetOperation('b', '2'));
		const move: GraphOperation = { do: 'moveItem', node: 'n', path: ['list'], at: 0, to: 1 };
		await edits.edit(move);
		assert.deepEqual(done, [createSetOperation('a', '1'), createSetOperation('b', '2'), move]);
	});

	it('stays in order with other operations, even if they are slow or fail', async () => {
		const { edits, done } = createTypedEdits();
		const order: string[] = [];
		const createSlowEdit = (name: string) => async () => {
			await new Promise(resolve => setTimeout(resolve, 5));
			order.push(`${name} after ${done.length}`);
			throw new Error(name);
		};
		edits.typed(createSetOperation('a', '1'));
		const first = edits.step(createSlowEdit('undo'));
		edits.typed(createSetOperation('a', '12'));
		const second = edits.step(createSlowEdit('paste'));
		await edits.edit(createSetOperation('b', '2'));
		await Promise.allSettled([first, second]);
		assert.deepEqual(order, ['undo after 1', 'paste after 2']);
		assert.deepEqual(done, [createSetOperation('a', '1'), createSetOperation('a', '12'), createSetOperation('b', '2')]);
	});

	it("isn't lost when its page is closed", async () => {
		const { edits, done } = createTypedEdits();
		edits.typed(createSetOperation('a', '1'));
		await edits.flush();
		assert.deepEqual(done, [createSetOperation('a', '1')]);
	});
});
