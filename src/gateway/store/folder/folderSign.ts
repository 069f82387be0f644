import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayLock, lockFile, parseLock } from '#contract/localGateway.ts';
import { instanceAt } from '#network/gatewayHealth.ts';
import { writePrivateFile } from '../../process/privateFile.ts';
import { openFailureOf } from './storeFiles.ts';

/** A gateway on this machine answers sooner, unless it is about to be killed. */
const answerMs = 2_000;

/**
 * The sign on a data folder that says where its gateway listens. What really keeps a folder to one gateway is the store's
 * `FolderHold`: whoever has it may write over a sign that was left behind.
 */
export class FolderSign {
	/** As in {@link GatewayLock}. */
	readonly instance = randomUUID();
	readonly #file: string;

	constructor(folder: string) {
		this.#file = join(folder, lockFile);
	}

	/** Puts up the sign of this process. To be called by the holder of the store only. Throws an `OpenFailure`. */
	write(port: number): void {
		const info: GatewayLock = { pid: process.pid, port, instance: this.instance, started: new Date().toISOString() };
		try {
			writePrivateFile(this.#file, `${JSON.stringify(info)}\n`);
		} catch (error) {
			throw openFailureOf(this.#file, error);
		}
	}

	/** Takes down the sign of this process. */
	remove(): void {
		if (this.read()?.instance === this.instance) {
			rmSync(this.#file, { force: true });
		}
	}

	/** Whether the gateway that the sign names serves this folder, here or on `host`: its hold may have been removed under it. */
	async isServed(host: string): Promise<boolean> {
		const info = this.read();
		const hosts = new Set(['127.0.0.1', host]);
		const answers = await Promise.all([...hosts].map(each => info && instanceAt(each, info.port, answerMs)));
		return info !== undefined && answers.includes(info.instance);
	}

	/** What the sign says; undefined if there is none that can be read. */
	read(): GatewayLock | undefined {
		try {
			return parseLock(readFileSync(this.#file, 'utf8'));
		} catch {
			return undefined;
		}
	}
}
