import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { scanRecording } from '#contract/recordings/scanRecording.ts';
import { parseEntry } from '#engine/recordings/entryText.ts';
import { getPartsFolder } from '#runs/recordings/recordingFile.ts';
import { cleanUpGateways, createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { chooseSize } from './support/long.ts';

const program = path.join(import.meta.dirname, 'support/recorder.ts');

describe('a recording whose writers are killed', () => {
	afterEach(cleanUpGateways);

	it('keeps each reply that was stored, whatever the other writers do, and has no half entry', async function () {
		this.timeout(170_000);
		const file = path.join(createTemporaryFolder(), 'a.run.recording.yaml');
		const stored = new Set<number>();
		/** Starts a writer. Resolves once it was killed after it had stored some replies. */
		const write = async (first: number, until: number) => {
			const child = spawn(process.execPath, [program, file, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
			const ended = once(child, 'exit');
			let count = 0;
			for await (const line of createInterface({ input: child.stdout })) {
				stored.add(Number(line));
				if (++count === until) {
					setTimeout(() => child.kill('SIGKILL'), Math.random() * 20);
				}
			}
			await ended;
		};
		for (let round = 0; round < chooseSize(2, 10); round++) {
			await Promise.all([0, 1, 2].map(writer => write(round * 30_000 + writer * 10_000, 2 + writer * 3)));
			const documents = scanRecording(fs.readFileSync(file, 'utf8'));
			const readPart = (name: string) => fs.readFileSync(path.join(getPartsFolder(file), name), 'utf8');
			const found = new Set(documents.map(({ text, line }) => (parseEntry(text, line, readPart).request as { number: number }).number));
			assert.deepEqual(
				[...stored].filter(number => !found.has(number)),
				[],
			);
		}
	});
});
