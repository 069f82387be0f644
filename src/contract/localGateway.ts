import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';

/** File in a gateway's data folder that names its process and address. It can be left over from a crash. */
export const lockFile = 'gateway.lock';

/** Content of the lock file, as JSON. */
export interface GatewayLock {
	readonly pid: number;
	readonly port: number;
	/**
	 * Random ID of this start of the gateway; if `GET /healthz` on {@link port} doesn't return the same (`instance`), the lock is stale.
	 */
	readonly instance: string;
	/** ISO 8601. */
	readonly started?: string;
}

/** Parses a lock; `undefined` if it's invalid or names no instance. */
export function parseLock(text: string): GatewayLock | undefined {
	const lock = tryParseJson(text);
	if (!isRecord(lock)) {
		return undefined;
	}
	const { pid, port, instance } = lock;
	const isWhole = [pid, port].every(each => Number.isInteger(each) && Number(each) > 0) && typeof instance === 'string' && instance !== '';
	return isWhole ? (lock as unknown as GatewayLock) : undefined;
}

/** Line of JSON that a gateway with `--ready-json` writes to stdout once it listens. */
export interface ReadyLine {
	readonly ready: true;
	readonly base_url: string;
	/** The generated key; absent if a key was given. */
	readonly api_key?: string;
}

/**
 * Flags of Node for the gateway's process. New objects get 8 MB instead of 32, of which V8 keeps three: that saves 60 MB of memory while
 * long streams pass through, and costs no processor time.
 */
export const gatewayNodeFlags: readonly string[] = ['--max-semi-space-size=8'];

/** Exit codes of the gateway's program. */
export const gatewayExit = {
	/** Invalid flag or configuration. */
	setting: 2,
	/** Another gateway serves the data folder. */
	folderInUse: 3,
	/** The store can't be opened: the log has the reason, and whether `--set-aside-store` would help (`can_set_aside`). */
	storeNotOpened: 4,
} as const;
