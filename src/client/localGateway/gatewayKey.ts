import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isOpenToOthers } from '#base/files/privateMode.ts';
import { Problem } from '#base/problems.ts';
import { localizable } from '#base/text/localizableMessage.ts';

/**
 * The built-in gateway's key: random, created on first use, in the file `gateway.key` next to the data it protects, readable by this
 * account only. It isn't in the keyring, which belongs to the user's local machine: windows of two machines on one remote folder share the
 * gateway and thus the key.
 */
export class GatewayKey {
	readonly #file: string;

	constructor(dataFolder: string) {
		this.#file = path.join(dataFolder, 'gateway.key');
	}

	/** Rejects with a {@link Problem} `gateway-key` if the file has no key or others can read it, and with file system errors. */
	async get(): Promise<string> {
		const kept = await this.#readFile();
		if (kept !== undefined) {
			return kept;
		}
		const { createFileAtomically } = await import('#base/files/createFile.ts');
		await createFileAtomically(this.#file, `awb-${randomBytes(32).toString('base64url')}\n`);
		// another window may have created a key meanwhile; use the saved one
		return (await this.#readFile()) ?? this.get();
	}

	async #readFile(): Promise<string | undefined> {
		let text: string;
		let mode: number;
		try {
			text = (await fs.readFile(this.#file, 'utf8')).trim();
			({ mode } = await fs.stat(this.#file));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
				return undefined;
			}
			throw error;
		}
		if (isOpenToOthers(mode)) {
			throw new Problem(
				'gateway-key',
				localizable`Other users can read '${this.#file}' (mode ${(mode & 0o777).toString(8)}). Expected mode 600.`,
			);
		}
		if (!/^\S{16,}$/.test(text)) {
			throw new Problem('gateway-key', localizable`'${this.#file}' doesn't contain the gateway's key. Delete the file to get a new key.`);
		}
		return text;
	}
}
