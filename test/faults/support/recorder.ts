// Records replies into one file, one after another, and prints the number of each reply that is stored: node recorder.ts FILE FIRST
import { setTimeout as delay } from 'node:timers/promises';
import { formatEntry } from '#engine/recordings/entryText.ts';
import { FileRecording } from '#runs/recordings/fileRecording.ts';

const [file = '', first = ''] = process.argv.slice(2);
for (let number = Number(first); ; number++) {
	const head = { key: `model:${number.toString(16).padStart(12, '0')}`, case: `case ${number}`, node: 'ask', call: 1 };
	const entry = formatEntry(head, { request: { number }, reply: { text: `${number} `.repeat(20_000) } });
	const { key: _, ...place } = head;
	const client = {
		openRecording: async () => ({ id: 'r', entries: 0 }),
		takeRecordedCalls: async () => ({ calls: [{ ...place, ...entry }], used: [], misses: [], drift: [], more: false }),
		closeRecording: async () => ({ result: 'success' as const }),
	};
	const recording = await FileRecording.openRecording({ client, file, mode: 'new', settings: {}, creator: 'a test' });
	await recording?.finish();
	process.stdout.write(`${number}\n`);
	await delay(Math.random() * 3);
}
