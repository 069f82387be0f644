import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { createFileAtomically } from '#base/files/createFile.ts';
import { isOpenToOthers } from '#base/files/privateMode.ts';
import { toOpenFailure } from '../store/folder/storeFiles.ts';
import { type Flags, SettingError } from './flags.ts';

/** Keys of a gateway: the key that its clients send, and the keys that it sends upstream. */
interface Keys {
	readonly apiKey: string;
	/** True if the ready line contains {@link apiKey}. False if the parent process sent it over stdin. */
	readonly isApiKeyPrinted: boolean;
	/** Proxy that the parent process sent over stdin, because it can contain a password. */
	readonly proxy?: string;
	/** Upstream keys by their names in the configuration. */
	readonly upstream: ReadonlyMap<string, string>;
}

const upstreamKeysSchema = z.record(z.string().min(1), z.string().min(1));
const stdinSchema = z.strictObject({
	api_key: z.string().min(1).optional(),
	keys: upstreamKeysSchema.optional(),
	proxy: z.string().min(1).optional(),
});

/** Reads the keys from the places that the flags name. Throws a {@link SettingError} that names the place, but never a key. */
export async function readKeys(flags: Flags): Promise<Keys> {
	const stdin = flags.stdinKeys ? parseStdin(await readFirstLine(process.stdin)) : {};
	const fromFile = flags.apiKeyFile === undefined ? undefined : readApiKeyFile(flags.apiKeyFile);
	const given = stdin.api_key ?? fromFile;
	if (given === undefined && !isLoopback(flags.host)) {
		throw new SettingError(`--host ${flags.host} is reachable from other machines. Use --api-key-file or a key on stdin.`);
	}
	const fileKeys = flags.keyFile === undefined ? {} : await readKeyFile(flags.keyFile);
	return {
		apiKey: given ?? (await getOrCreateKey(flags.data)),
		isApiKeyPrinted: stdin.api_key === undefined,
		...(stdin.proxy !== undefined && { proxy: stdin.proxy }),
		upstream: new Map(Object.entries({ ...fileKeys, ...stdin.keys })),
	};
}

function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function parseStdin(line: string): z.infer<typeof stdinSchema> {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		throw new SettingError('stdin: expected a first line {"api_key": "...", "keys": {"NAME": "..."}, "proxy": "..."}.');
	}
	const result = stdinSchema.safeParse(value);
	if (!result.success) {
		const path = result.error.issues[0]?.path.join('.') ?? '';
		throw new SettingError(`stdin:1: ${path && `${path}: `}expected {"api_key": "...", "keys": {"NAME": "..."}, "proxy": "..."}.`);
	}
	return result.data;
}

async function readFirstLine(stream: NodeJS.ReadStream): Promise<string> {
	const lines = createInterface({ input: stream, terminal: false });
	for await (const line of lines) {
		lines.close();
		return line;
	}
	return '';
}

function readApiKeyFile(file: string): string {
	refuseSharedFile(file);
	const key = readFileSync(file, 'utf8').trim();
	if (key === '' || /\s/.test(key)) {
		throw new SettingError(`${file}:1: expected one line with the key.`);
	}
	return key;
}

async function readKeyFile(file: string): Promise<Readonly<Record<string, string>>> {
	refuseSharedFile(file);
	const { readJsonFile } = await import('./configFile.ts');
	return readJsonFile(file, upstreamKeysSchema);
}

/** Refuses a file that other accounts can read. */
function refuseSharedFile(file: string): void {
	let mode: number;
	try {
		mode = statSync(file).mode;
	} catch {
		throw new SettingError(`Couldn't read ${file}.`);
	}
	if (isOpenToOthers(mode)) {
		throw new SettingError(`${file} can be read by other users (mode ${(mode & 0o777).toString(8)}). Expected mode 600.`);
	}
}

/** Returns the key generated for this data folder, the same on every start, and in all gateways that start at the same time. */
async function getOrCreateKey(data: string): Promise<string> {
	const file = join(data, 'gateway.key');
	try {
		return readApiKeyFile(file);
	} catch (error) {
		if (statSync(file, { throwIfNoEntry: false })) {
			throw error;
		}
	}
	const key = randomBytes(32).toString('base64url');
	let isCreated: boolean;
	try {
		isCreated = await createFileAtomically(file, `${key}\n`);
	} catch (error) {
		throw toOpenFailure(file, error);
	}
	return isCreated ? key : readApiKeyFile(file);
}
