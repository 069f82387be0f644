import fs from 'node:fs';
import path from 'node:path';
import { runWithFileLock } from '#base/files/fileLock.ts';
import { isOpenToOthers } from '#base/files/privateMode.ts';
import { replaceNamedFile } from '#base/files/replaceFile.ts';
import { getField, isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { CliFault } from '../../cliFault.ts';
import { getConfigFolder } from './userFolders.ts';

/** A stored sign-in to a Dify server. */
interface StoredToken {
	readonly token: string;
	/** Time in Unix seconds. */
	readonly expiresAt?: number;
	readonly email?: string;
}

/** Returns the absolute path of the token file of `dify login`, in the user's configuration folder. */
export function getTokenFile(environment: NodeJS.ProcessEnv): string {
	return path.join(getConfigFolder({ environment }), 'dify-tokens.json');
}

/**
 * Reads the tokens by server origin. Returns an empty object if there is no file. Each token is only sent to its origin.
 * @throws {CliFault} if the file can't be read, or if other users can read it
 */
export function readTokens(file: string): Readonly<Record<string, StoredToken>> {
	let text: string;
	try {
		if (isOpenToOthers(fs.statSync(file).mode)) {
			throw new CliFault(`${file}: other users can read it. Run chmod 600 on it, or delete it and sign in again.`);
		}
		text = fs.readFileSync(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return {};
		}
		throw error instanceof CliFault ? error : new CliFault(`${file}: can't be read (${(error as NodeJS.ErrnoException).code}).`);
	}
	const tokens = parseTokenFile(text);
	if (tokens === undefined) {
		throw new CliFault(`${file}: isn't a valid token file. Delete it and sign in again.`);
	}
	return tokens;
}

/** Stores or replaces the token of an origin. `undefined` deletes it. Keeps what other commands store at the same time. */
export function writeToken(file: string, origin: string, token: StoredToken | undefined): Promise<void> {
	return runWithFileLock(file, async () => {
		const { [origin]: _, ...others } = readTokens(file);
		const tokens = token === undefined ? others : { ...others, [origin]: token };
		try {
			fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
			await replaceNamedFile(file, `${JSON.stringify(tokens, undefined, 2)}\n`, 0o600);
		} catch (error) {
			throw new CliFault(`${file}: can't be written (${(error as NodeJS.ErrnoException).code}).`);
		}
	});
}

/** Returns `undefined` if this program didn't write the text. Error messages never quote the text, because it may contain a token. */
function parseTokenFile(text: string): Readonly<Record<string, StoredToken>> | undefined {
	const tokens = tryParseJson(text);
	const isStoredToken = (each: unknown) => typeof getField(each, 'token') === 'string';
	return isRecord(tokens) && Object.values(tokens).every(isStoredToken) ? (tokens as Readonly<Record<string, StoredToken>>) : undefined;
}
