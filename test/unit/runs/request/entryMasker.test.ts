import assert from 'node:assert/strict';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { EntryMasker } from '#runs/request/entryMasker.ts';

const place = `\${input:token:password}`;

const createEntry = (event: string, data: object) =>
	({ at: 1, event: { event, task_id: 't', workflow_run_id: 'r', data } }) as JournalEntry;
const createChunk = (text: string, node = 'llm') => createEntry('text_chunk', { text, from_variable_selector: [node, 'text'] });
const createReasoningChunk = (reasoning: string) => createEntry('reasoning_chunk', { reasoning, node_id: 'llm', is_final: false });

/** Returns the joined text of the masked entries, by event. */
function collectText(entries: readonly JournalEntry[], secret = 'hunter2-hunter3'): Record<string, string> {
	const masker = new EntryMasker(new Map([[secret, place]]));
	const texts: Record<string, string> = {};
	for (const each of [...entries.flatMap(given => masker.maskNextEntry(given)), ...masker.releaseHeldTexts()]) {
		const { event, data } = (each as { event: { event: string; data: Record<string, string> } }).event;
		texts[event] = `${texts[event] ?? ''}${data['text'] ?? data['reasoning'] ?? ''}`;
	}
	return texts;
}

describe('secrets that a run streams in chunks', () => {
	const text = 'It is hunter2-hunter3, h. hunter2-hunter2-hunter3 and hunter2-';
	const masked = `It is ${place}, h. hunter2-${place} and hunter2-`;

	for (const length of [1, 2, 5, 9, 100]) {
		it(`are masked, and no other text changes: chunks of ${length} characters`, () => {
			const pieces = text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
			assert.deepEqual(collectText(pieces.map(piece => createChunk(piece))), { text_chunk: masked });
			assert.deepEqual(collectText(pieces.map(createReasoningChunk)), { reasoning_chunk: masked });
		});
	}

	it('are masked even with other events and chunks of other nodes in between', () => {
		const masker = new EntryMasker(new Map([['hunter2', place]]));
		const entries = [
			createChunk('hunt', 'a'),
			createChunk('hun', 'b'),
			createEntry('node_started', {}),
			createChunk('er2.', 'a'),
			createChunk('ter2!', 'b'),
		];
		const kept = JSON.stringify(entries.flatMap(each => masker.maskNextEntry(each)));
		assert.doesNotMatch(kept, /"hun|ter2/);
		assert.ok(kept.includes(`${place}.`) && kept.includes(`${place}!`));
	});

	it('are masked, and the text held back is emitted before the entry that ends its node', () => {
		const masker = new EntryMasker(new Map([['hunter2', place]]));
		masker.maskNextEntry(createChunk('the hunt'));
		const [held, end] = masker.maskNextEntry(createEntry('node_finished', { node_id: 'llm' }));
		assert.match(JSON.stringify(held), /"text":"hunt"/);
		assert.match(JSON.stringify(end), /node_finished/);
	});

	it('are masked as a whole if another secret is their start', () => {
		const masker = new EntryMasker(
			new Map([
				['hunter2-hunter3', 'LONG'],
				['hunter2', 'SHORT'],
				['er2, or', 'OVERLAPPING'],
			]),
		);
		const pieces = ['hunter', '2', '-hun', 'ter3; hunter2', '-hunt; hunter2', ', or not; hunter2', '-hunter'];
		const entries = [...pieces.flatMap(each => masker.maskNextEntry(createChunk(each))), ...masker.releaseHeldTexts()];
		const texts = entries.map(each => (each as { event: { data: { text: string } } }).event.data.text);
		assert.equal(texts.join(''), 'LONG; SHORT-hunt; SHORT, or not; SHORT-hunter');
	});

	it('are masked in time bounded by their length', () => {
		const began = process.cpuUsage();
		const chunks = Array.from({ length: 6000 }, () => createChunk('aaaaaaaaaa'));
		const { text_chunk: kept } = collectText([...chunks, createChunk('b!')], `${'a'.repeat(30_000)}b`);
		assert.equal(kept, `${'a'.repeat(30_000)}${place}!`);
		// processor time, because other tests run at the same time
		assert.ok(process.cpuUsage(began).user < 2_000_000);
	});
});
