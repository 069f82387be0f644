import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayLock, lockFile, parseLock } from '#contract/localGateway.ts';
import { fetchInstanceId } from '#network/gatewayHealth.ts';
import { writePrivateFile } from '../../process/privateFile.ts';
import { toOpenFailure } from './storeFiles.ts';

/** Timeout for the other gateway's response in milliseconds; a healthy one on this machine responds sooner. */
const answerMs = 2_000;

/**
 * The file in a data folder that says where its gateway listens. It isn't the lock itself, which is the store's `FolderHold`: the process
 * that has the lock may overwrite a leftover file.
 */
export class FolderSign {
	/** ID of this start of the gateway, as in {@link GatewayLock}. */
	readonly instance = randomUUID();
	readonly #file: string;

	constructor(folder: string) {
		this.#file = join(folder, lockFile);
	}

	/** Writes the file for this process, which must have the store's lock. Throws an `OpenFailure`. */
	writeSign(port: number): void {
		const info: GatewayLock = { pid: process.pid, port, instance: this.instance, started: new Date().toISOString() };
		try {
			writePrivateFile(this.#file, `${JSON.stringify(info)}\n`);
		} catch (error) {
			throw toOpenFailure(this.#file, error);
		}
	}

	/** Removes the file of this process. */
	removeSign(): void {
		if (this.readSign()?.instance === this.instance) {
			rmSync(this.#file, { force: true });
		}
	}

	/** True if the gateway named in the file serves this folder, locally or on `host`. Its lock may have been removed meanwhile. */
	async isFolderServed(host: string): Promise<boolean> {
		const info = this.readSign();
		const hosts = new Set(['127.0.0.1', host]);
		const answers = await Promise.all([...hosts].map(each => info && fetchInstanceId(each, info.port, answerMs)));
		return info !== undefined && answers.includes(info.instance);
	}

	/** Returns the content of the file; undefined if it's missing or invalid. */
	readSign(): GatewayLock | undefined {
		try {
			return parseLock(readFileSync(this.#file, 'utf8'));
		} catch {
			return undefined;
		}
	}
}
