import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A recorded stream: its name and its payloads, one per line. */
export interface RecordedStream {
	readonly name: string;
	readonly lines: readonly string[];
}

/** Returns recorded replies of a service (`anthropic`, `google`) from the nearest fixtures folder next to or above the repository. */
export function listRecordedStreams(service: string): RecordedStream[] {
	const folder = findFolderAbove(`shared/fixtures/streams/${service}`);
	if (folder === undefined) {
		return [];
	}
	return readdirSync(folder)
		.filter(file => file.endsWith('.chunks.txt'))
		.map(file => ({
			name: file.replace('.chunks.txt', ''),
			lines: readFileSync(path.join(folder, file), 'utf8')
				.split('\n')
				.filter(line => line !== ''),
		}));
}

/** Formats the stream as Anthropic does: events named by their type. */
export function formatAnthropicBytes(lines: readonly string[]): string {
	return lines.map(line => `event: ${(JSON.parse(line) as { type: string }).type}\ndata: ${line}\n\n`).join('');
}

/** Formats the stream as Google does: unnamed events with CRLF. */
export function formatGoogleBytes(lines: readonly string[]): string {
	return lines.map(line => `data: ${line}\r\n\r\n`).join('');
}

function findFolderAbove(name: string): string | undefined {
	for (let folder = path.dirname(fileURLToPath(import.meta.url)); ; folder = path.dirname(folder)) {
		const candidate = path.join(folder, name);
		if (existsSync(candidate)) {
			return candidate;
		}
		if (path.dirname(folder) === folder) {
			return undefined;
		}
	}
}
