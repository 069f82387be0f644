import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A recorded stream: its name, and its payloads, one a line. */
export interface RecordedStream {
	readonly name: string;
	readonly lines: readonly string[];
}

/** Recorded replies of a service (`anthropic`, `google`), from the fixtures beside the repository or above it; empty where there are none. */
export function recordedStreams(service: string): RecordedStream[] {
	const folder = findUp(`shared/fixtures/streams/${service}`);
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

/** The stream as Anthropic sends it: events named by their type. */
export function anthropicBytes(lines: readonly string[]): string {
	return lines.map(line => `event: ${(JSON.parse(line) as { type: string }).type}\ndata: ${line}\n\n`).join('');
}

/** The stream as Google sends it: unnamed events with CRLF. */
export function googleBytes(lines: readonly string[]): string {
	return lines.map(line => `data: ${line}\r\n\r\n`).join('');
}

function findUp(name: string): string | undefined {
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
