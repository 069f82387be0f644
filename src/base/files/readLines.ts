import { createReadStream } from 'node:fs';

/**
 * Reads the lines of a UTF-8 file lazily. Only a line feed ends a line: `node:readline` also splits at U+2028 and U+2029, which can be
 * unescaped in JSON strings. Rejects if the file can't be read.
 */
export async function* readLines(file: string): AsyncGenerator<string, void> {
	let line: string[] = [];
	for await (const chunk of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
		const [first = '', ...others] = chunk.split('\n');
		line.push(first);
		for (const next of others) {
			yield line.join('');
			line = [next];
		}
	}
	const last = line.join('');
	if (last !== '') {
		yield last;
	}
}
