import fs from 'node:fs/promises';
import path from 'node:path';

/** Lock file of a gateway's data folder (DESIGN, decision 7): who serves it, and where. */
export interface GatewayLock {
	readonly pid: number;
	/** 0 or absent while the gateway starts. */
	readonly port?: number;
}

/** The lock of a data folder; `undefined` if there is none, or none that can be read. */
export async function readLock(dataFolder: string): Promise<GatewayLock | undefined> {
	try {
		const lock: unknown = JSON.parse(await fs.readFile(path.join(dataFolder, 'gateway.lock'), 'utf8'));
		return isLock(lock) ? lock : undefined;
	} catch {
		return undefined;
	}
}

/** Whether a process with this ID is there (it may be another one by now: IDs are used again). */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/** Asks the gateway behind a lock to end, and waits until the data folder is free. Resolves to whether it is. */
export async function endGateway(dataFolder: string, lock: GatewayLock, timeoutMs = 10_000): Promise<boolean> {
	process.kill(lock.pid, 'SIGTERM');
	for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
		const now = await readLock(dataFolder);
		if (now?.pid !== lock.pid || !isAlive(lock.pid)) {
			return true;
		}
		await new Promise(resolve => setTimeout(resolve, 50));
	}
	return false;
}

function isLock(value: unknown): value is GatewayLock {
	return typeof value === 'object' && value !== null && 'pid' in value && Number.isInteger(value.pid) && Number(value.pid) > 0;
}
