import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';

/** The file in a gateway's data folder that says who serves it, and where. A crash leaves it behind: it is a claim, not a fact. */
export const lockFile = 'gateway.lock';

/** What the lock file contains, as JSON. */
export interface GatewayLock {
	readonly pid: number;
	readonly port: number;
	/**
	 * Random name of this one start of a gateway; `GET /healthz` on {@link port} returns the same (`instance`), or the lock was left
	 * behind.
	 */
	readonly instance: string;
	/** ISO 8601. */
	readonly started?: string;
}

/** The lock that a text is; `undefined` if it isn't one that names an instance. */
export function parseLock(text: string): GatewayLock | undefined {
	const lock = tryParseJson(text);
	if (!isRecord(lock)) {
		return undefined;
	}
	const { pid, port, instance } = lock;
	const isWhole = [pid, port].every(each => Number.isInteger(each) && Number(each) > 0) && typeof instance === 'string' && instance !== '';
	return isWhole ? (lock as unknown as GatewayLock) : undefined;
}

/** What a gateway that was started with `--ready-json` writes to stdout once it listens, as one line of JSON. */
export interface ReadyLine {
	readonly ready: true;
	readonly base_url: string;
	/** The key that it made for itself; absent if it was given one. */
	readonly api_key?: string;
}

/** Exit codes of the gateway's program. */
export const gatewayExit = {
	/** A flag, or the configuration, is wrong. */
	setting: 2,
	/** Another gateway serves the data folder. */
	folderInUse: 3,
	/** The store cannot be opened: its log says why, and whether `--set-aside-store` would let it start (`can_set_aside`). */
	storeNotOpened: 4,
} as const;
