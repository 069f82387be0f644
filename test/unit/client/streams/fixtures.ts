import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Finds recorded data outside the repository: `shared/fixtures` next to the checkout or in a parent folder. `undefined` if there is none;
 * tests then report that they were skipped.
 */
export function findFixturesFolder(): string | undefined {
	for (let folder = path.resolve(import.meta.dirname, '../../../..'); ; folder = path.dirname(folder)) {
		const candidate = path.join(path.dirname(folder), 'shared', 'fixtures');
		if (existsSync(candidate)) {
			return candidate;
		}
		if (folder === path.dirname(folder)) {
			return undefined;
		}
	}
}

/** Reads a recorded stream as its service sent it. */
export interface RecordedStream {
	readonly name: string;
	readonly service: 'anthropic' | 'google';
	readonly payloads: readonly string[];
	readonly bytes: Buffer;
}

export function listRecordedStreams(folder: string): RecordedStream[] {
	return globSync('streams/{anthropic,google}/*.chunks.txt', { cwd: folder })
		.sort()
		.map(file => {
			const service = file.includes('anthropic/') || file.includes('anthropic\\') ? 'anthropic' : 'google';
			const payloads = readFileSync(path.join(folder, file), 'utf8')
				.split('\n')
				.filter(line => line.trim() !== '');
			const text = payloads.map(payload =>
				service === 'anthropic' ? `event: ${JSON.parse(payload).type}\ndata: ${payload}\n\n` : `data: ${payload}\r\n\r\n`,
			);
			return { name: path.basename(file, '.chunks.txt'), service, payloads, bytes: Buffer.from(text.join('')) };
		});
}
