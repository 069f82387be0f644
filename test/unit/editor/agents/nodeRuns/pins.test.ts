import assert from 'node:assert/strict';
import { applyEdits, parse } from 'jsonc-parser';
import { createPinEdits } from '#editor/agents/nodeRuns/pinEdits.ts';
import { readRecordedMocks } from '#editor/agents/nodeRuns/recordedMocks.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';

async function* generateJournalEntries(...ends: object[]): AsyncGenerator<JournalEntry> {
	yield { at: 0, note: 'begins' };
	for (const data of ends) {
		yield { at: 1, event: { event: 'node_finished', task_id: 't', workflow_run_id: 'r', data } } as unknown as JournalEntry;
	}
}

describe('pinned outputs', () => {
	it('include every execution of the node in order, with its failures', async () => {
		const createEndEntry = (node_id: string, more: object) => ({
			id: '1',
			node_id,
			node_type: 'code',
			title: 'T',
			index: 1,
			status: 'succeeded',
			...more,
		});
		const mocks = await readRecordedMocks(
			generateJournalEntries(
				createEndEntry('a', { outputs: { n: 1 } }),
				createEndEntry('b', { outputs: { n: 2 } }),
				createEndEntry('a', { outputs: null, status: 'failed', error: 'no' }),
				createEndEntry('a', { outputs: { n: 3 } }),
			),
			'a',
		);
		assert.deepEqual(mocks, [{ outputs: { n: 1 } }, { error: 'no' }, { outputs: { n: 3 } }]);
	});

	it("are empty for a node that didn't run", async () => {
		assert.deepEqual(await readRecordedMocks(generateJournalEntries(), 'a'), []);
	});

	it('include containers and each attempt', async () => {
		const createEntry = (event: string, data: object): JournalEntry =>
			({ at: 1, event: { event, data: { node_id: 'a', ...data } } }) as unknown as JournalEntry;
		async function* iterateEntries() {
			yield createEntry('iteration_started', {});
			yield createEntry('iteration_completed', { status: 'succeeded', outputs: { output: [1] } });
			yield createEntry('node_retry', { status: 'retry', error: 'once', outputs: {} });
			yield createEntry('loop_completed', { status: 'failed', error: 'twice', outputs: {} });
		}
		assert.deepEqual(await readRecordedMocks(iterateEntries(), 'a'), [{ outputs: { output: [1] } }, { error: 'once' }, { error: 'twice' }]);
	});

	describe('in run files', () => {
		const pinned = { outputs: { n: 1 } };
		for (const [what, text] of [
			['with comments', '{\n\t"model": "a" // c\n\t/* end */\n}\n'],
			['with trailing commas', '{\n\t"model": "a",\n\t"mocks": {\n\t\t"x": { "outputs": {} }, // why\n\t},\n}\n'],
			['on one line', '{"model":"a"}'],
			['with Windows line ends', '{\r\n  "model": "a"\r\n}\r\n'],
		] as const) {
			it(`are added and removed: ${what}`, () => {
				for (const node of ['n', 'constructor', '1', 'a"b']) {
					const edits = createPinEdits(text, node, pinned);
					assert.ok(typeof edits !== 'string');
					const changed = applyEdits(text, [...edits]);
					const read = parse(changed, [], { allowTrailingComma: true });
					assert.deepEqual([read.model, read.mocks[node]], ['a', pinned]);
					for (const comment of text.match(/\/\/ \w+|\/\*.*\*\//g) ?? []) {
						assert.ok(changed.includes(comment), comment);
					}
					assert.ok(text.includes('\r\n') === changed.includes('\r\n') && !/[^\r]\n/.test(text.includes('\r\n') ? changed : ''));
					const back = createPinEdits(changed, node, undefined);
					assert.ok(typeof back !== 'string');
					const again = parse(applyEdits(changed, [...back]), [], { allowTrailingComma: true });
					assert.deepEqual(again, parse(text, [], { allowTrailingComma: true }));
				}
			});
		}

		it('are refused if something would be lost, and unchanged if there is nothing to remove', () => {
			for (const text of ['', '[]', 'null', '{"model": "a", "inputs": {', '{"a": 1 "b": 2}']) {
				assert.equal(createPinEdits(text, 'n', pinned), 'unreadable', text);
			}
			for (const text of ['{"mocks": "x"}', '{"mocks": []}', '{"mocks": null}']) {
				assert.equal(createPinEdits(text, 'n', pinned), 'mocks', text);
			}
			assert.deepEqual([createPinEdits('{"model": "a"}', 'n', undefined), createPinEdits('{"mocks": {"x": 1}}', 'n', undefined)], [[], []]);
		});
	});
});
