import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { OutsideScope, resolvedReadFlags, resolveInside } from '#base/files/fileScope.ts';
import type { Translate } from '#base/text/localization.ts';
import type { DatasetFile } from '../suite.ts';
import { DatasetError } from './datasetRow.ts';

/** Maximum length of a row in characters, which limits unclosed quotes and brackets. */
export const longestRow = 16 * 1024 * 1024;

/** Maximum bytes of a UTF-8 character, which may be split between chunks. */
const mostBytes = 4;
const lineEnd = 0x0a;

/**
 * Reads the text of a dataset in chunks: UTF-8, or UTF-16 with a byte order mark. Throws a {@link DatasetError} if the file can't be read
 * or contains invalid text, because rows with replacement characters would test something else.
 */
export async function* readDatasetText({ file, root }: DatasetFile, t: Translate): AsyncGenerator<string, void> {
	let decoder: TextDecoder | undefined;
	let line = 1;
	let tail = Buffer.alloc(0);
	const decodeChunk = (bytes: Buffer | undefined): string => {
		try {
			return bytes ? decoder!.decode(bytes, { stream: true }) : (decoder?.decode() ?? '');
		} catch {
			const before = countLineEnds(tail);
			const message = t(
				"The line isn't valid {0} text. Save the file as UTF-8, or as UTF-16 with a byte order mark.",
				decoder!.encoding.toUpperCase(),
			);
			throw new DatasetError(message, line - before + countValidLines(Buffer.concat([tail, bytes ?? Buffer.alloc(0)])));
		}
	};
	try {
		const handle = await open(resolveInside(file, { folder: root, root }), resolvedReadFlags);
		const { size, mtimeNs } = await handle.stat({ bigint: true });
		let unread = size;
		for await (const chunk of handle.createReadStream() as AsyncIterable<Buffer>) {
			unread -= BigInt(chunk.length);
			// a file that was written to may have lost rows, or contain parts of old and new rows
			if ((await handle.stat({ bigint: true })).mtimeNs !== mtimeNs) {
				throw createChangedError(line, t);
			}
			decoder ??= new TextDecoder(detectEncoding(chunk), { fatal: true });
			yield decodeChunk(chunk);
			line += countLineEnds(chunk);
			tail = Buffer.concat([tail, chunk.subarray(-mostBytes)]).subarray(-mostBytes);
		}
		if (unread > 0n) {
			throw createChangedError(line, t);
		}
	} catch (error) {
		if (error instanceof OutsideScope) {
			throw new DatasetError(t("'{0}' is outside the workspace folder.", path.relative(root, file)));
		}
		throw error instanceof DatasetError ? error : new DatasetError((error as Error).message, 1, { cause: error });
	}
	yield decodeChunk(undefined);
}

function createChangedError(line: number, t: Translate): DatasetError {
	return new DatasetError(t('The file changed while it was being read. Run the suite again.'), line);
}

function detectEncoding([first, second]: Buffer): string {
	return first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Counts the lines before the first one that isn't valid UTF-8. */
function countValidLines(bytes: Buffer): number {
	// the first bytes may be the end of a character
	let from = bytes.findIndex(byte => (byte & 0xc0) !== 0x80);
	for (let count = 0; from >= 0; count++) {
		const end = bytes.indexOf(lineEnd, from);
		if (end < 0 || !isUtf8(bytes.subarray(from, end))) {
			return count;
		}
		from = end + 1;
	}
	return 0;
}

function countLineEnds(bytes: Buffer): number {
	let count = 0;
	for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) {
		count++;
	}
	return count;
}
