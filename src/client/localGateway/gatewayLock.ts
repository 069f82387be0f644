import fs from 'node:fs/promises';
import path from 'node:path';
import { isProcessAlive } from '#base/isAlive.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { type GatewayLock, lockFile, parseLock } from '#contract/localGateway.ts';
import { fetchInstanceId } from '#network/gatewayHealth.ts';

const healthMs = 3000;

/** Address and key of a running gateway. */
export interface GatewayEndpoint {
	readonly baseUrl: string;
	readonly key: string;
}

export function getLockEndpoint({ port }: GatewayLock, key: string): GatewayEndpoint {
	return { baseUrl: `http://127.0.0.1:${port}`, key };
}

/** Reads the lock of a data folder; returns `undefined` if there is none, or if it doesn't name an instance. */
export async function readLock(dataFolder: string): Promise<GatewayLock | undefined> {
	return parseLock(await readLockText(dataFolder));
}

/** Returns the process ID of a lock without an instance, as older gateways write it, or `undefined` if there is no such lock. */
export async function findOlderHolder(dataFolder: string): Promise<number | undefined> {
	const lock = tryParseJson(await readLockText(dataFolder));
	return isRecord(lock) && !('instance' in lock) && Number.isInteger(lock['pid']) ? Number(lock['pid']) : undefined;
}

async function readLockText(dataFolder: string): Promise<string> {
	return fs.readFile(path.join(dataFolder, lockFile), 'utf8').catch(() => '');
}

/** Finds the gateway that serves a data folder: the one its lock names, if the process that listens there confirms that instance ID. */
export async function findGateway(dataFolder: string): Promise<GatewayLock | undefined> {
	const lock = await readLock(dataFolder);
	return lock && (await fetchInstanceId('127.0.0.1', lock.port, healthMs)) === lock.instance ? lock : undefined;
}

/**
 * Stops a gateway and waits until its data folder is free; kills it after the timeout. Resolves to true if the folder is free. Only call
 * it for a gateway that {@link findGateway} found or that has an open attachment.
 */
export async function endGateway(dataFolder: string, lock: GatewayLock, timeoutMs = 10_000): Promise<boolean> {
	return (await killAndWait(dataFolder, lock, 'SIGTERM', timeoutMs)) || killAndWait(dataFolder, lock, 'SIGKILL', timeoutMs);
}

async function killAndWait(dataFolder: string, lock: GatewayLock, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
	if (isProcessAlive(lock.pid)) {
		process.kill(lock.pid, signal);
	}
	for (const end = performance.now() + timeoutMs; performance.now() < end; ) {
		if (!isProcessAlive(lock.pid) || (await readLock(dataFolder))?.instance !== lock.instance) {
			return true;
		}
		await new Promise(resolve => setTimeout(resolve, 50));
	}
	return false;
}
