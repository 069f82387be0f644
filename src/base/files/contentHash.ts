import { createHash, scryptSync } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolvedReadFlags } from './fileScope.ts';

/** Returns the SHA-256 hash of a JSON value. */
export function hashContent(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Hashes the values of environment variables. Deliberately slow, because a fast hash would allow guessing passwords. */
export function hashEnvironment(values: ReadonlyMap<string, string | undefined>): string {
	const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, value ?? null]);
	return sorted.length === 0 ? '' : scryptSync(JSON.stringify(sorted), 'agent-workbench', 32).toString('hex');
}

/**
 * Hashes the content of a file, read in chunks. Expects the file's real path. Rejects if the file isn't a regular file or can't be read.
 */
export async function hashFile(file: string): Promise<string> {
	await using handle = await open(file, resolvedReadFlags);
	if (!(await handle.stat()).isFile()) {
		throw new Error(`${file} isn't a file`);
	}
	const hash = createHash('sha256');
	for await (const chunk of handle.createReadStream()) {
		hash.update(chunk as Buffer);
	}
	return hash.digest('hex');
}

/** Reads a file. Returns an empty string if the file doesn't exist or can only be read once, like a pipe. */
export function readTextIfFile(file: string | undefined): string {
	try {
		return file !== undefined && statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
	} catch {
		return '';
	}
}

/**
 * Hashes a gateway's configuration: its text, the environment variables that agents may read, and the names of its upstream keys, but never
 * the keys. A command compares this hash with that of a running gateway before sharing the gateway.
 */
export function hashConfiguration(
	config: string,
	keyNames: readonly string[],
	environment: ReadonlyMap<string, string | undefined> = new Map(),
): string {
	return hashContent([config, [...keyNames].sort(), ...(environment.size === 0 ? [] : [hashEnvironment(environment)])]);
}
