import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';

/** Lock file of a gateway's data folder (decision 7): who serves it, and where. A crash leaves it behind: it is a claim, not a fact. */
export interface GatewayLock {
	readonly pid: number;
	readonly port: number;
	/** Random name of this one start of a gateway, which the gateway itself tells whoever asks. */
	readonly instance: string;
}

/** The lock of a data folder; `undefined` if there is none, or none that names an instance. */
export async function readLock(dataFolder: string): Promise<GatewayLock | undefined> {
	const lock = await readSign(dataFolder);
	return isLock(lock) ? lock : undefined;
}

/** Process that a lock without an instance names, as gateways of older versions write them; `undefined` if there is no such lock. */
export async function olderHolder(dataFolder: string): Promise<number | undefined> {
	const lock = await readSign(dataFolder);
	return typeof lock === 'object' && lock !== null && !('instance' in lock) && 'pid' in lock && Number.isInteger(lock.pid)
		? Number(lock.pid)
		: undefined;
}

async function readSign(dataFolder: string): Promise<unknown> {
	try {
		return JSON.parse(await fs.readFile(path.join(dataFolder, 'gateway.lock'), 'utf8'));
	} catch {
		return undefined;
	}
}

/**
 * The gateway that serves a data folder: the one that its lock names, if what listens there says that it is this very instance. It is asked without the
 * key: a port, and a process ID, that a crash left in a lock can be anybody's by now.
 */
export async function findGateway(dataFolder: string): Promise<GatewayLock | undefined> {
	const lock = await readLock(dataFolder);
	return lock && (await instanceAt(lock.port)) === lock.instance ? lock : undefined;
}

/**
 * Has a gateway ended, and waits until its data folder is free; one that does not end in time is killed. Resolves to whether the folder is free. To be
 * called for a gateway that {@link findGateway} found, or that an open attachment shows to be there.
 */
export async function endGateway(dataFolder: string, lock: GatewayLock, timeoutMs = 10_000): Promise<boolean> {
	return (await ended(dataFolder, lock, 'SIGTERM', timeoutMs)) || ended(dataFolder, lock, 'SIGKILL', timeoutMs);
}

async function ended(dataFolder: string, lock: GatewayLock, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
	if (isAlive(lock.pid)) {
		process.kill(lock.pid, signal);
	}
	for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
		if (!isAlive(lock.pid) || (await readLock(dataFolder))?.instance !== lock.instance) {
			return true;
		}
		await new Promise(resolve => setTimeout(resolve, 50));
	}
	return false;
}

/** Whether a process with this ID is there (it may be another one by now: IDs are used again). */
function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/** What the gateway at a port says it is; `undefined` where nobody answers in time, or no gateway. */
function instanceAt(port: number, timeoutMs = 3000): Promise<string | undefined> {
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	const request = http.get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, response => {
		let text = '';
		response.setEncoding('utf8');
		response.on('data', (part: string) => {
			text += part;
			// whatever listens there may send without end
			if (text.length > 4096) {
				request.destroy();
			}
		});
		response.on('close', () => resolve(response.statusCode === 200 ? instanceOf(text) : undefined));
		response.on('error', () => {});
	});
	const timer = setTimeout(() => request.destroy(), timeoutMs);
	request.on('error', () => resolve(undefined));
	request.on('close', () => {
		clearTimeout(timer);
		resolve(undefined);
	});
	return promise;
}

function instanceOf(text: string): string | undefined {
	try {
		const health: unknown = JSON.parse(text);
		return typeof health === 'object' && health !== null && 'instance' in health && typeof health.instance === 'string'
			? health.instance
			: undefined;
	} catch {
		return undefined;
	}
}

function isLock(value: unknown): value is GatewayLock {
	if (typeof value !== 'object' || value === null) {
		return false;
	}
	const { pid, port, instance } = value as Partial<Record<keyof GatewayLock, unknown>>;
	return (
		Number.isInteger(pid) &&
		Number(pid) > 0 &&
		Number.isInteger(port) &&
		Number(port) > 0 &&
		typeof instance === 'string' &&
		instance !== ''
	);
}
