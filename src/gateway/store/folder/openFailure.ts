/** Why the store of a data folder cannot be opened, for programs. */
type OpenFailureReason = 'store-damaged' | 'store-newer' | 'store-read-only' | 'disk-full' | 'store-failed';

/**
 * A store that cannot be opened. The message is one sentence: the file, what is wrong with it, and what to do. The process ends with code 4 then; with
 * `--log json` the last line but one of stderr is `{"level":"error","message":…,"reason":…,"file":…,"can_set_aside":true|false}`, the last one the
 * message alone. Where `can_set_aside`, the same start with `--set-aside-store` keeps the store in `set-aside-TIME/` beside it and begins a new one.
 */
export class OpenFailure extends Error {
	override readonly name = 'OpenFailure';
	readonly reason: OpenFailureReason;
	/** Absolute path of the file at fault. */
	readonly file: string;

	constructor(reason: OpenFailureReason, file: string, problem: string, cause?: unknown) {
		super(`${file}: ${problem}, ${remedies[reason]}.`, { cause });
		this.reason = reason;
		this.file = file;
	}

	/** Whether `--set-aside-store` would let a gateway start here. */
	get canSetAside(): boolean {
		return this.reason === 'store-damaged' || this.reason === 'store-newer';
	}
}

const remedies: Readonly<Record<OpenFailureReason, string>> = {
	'store-damaged': 'put a whole one in its place, or start with --set-aside-store to keep it aside and begin a new store',
	'store-newer': 'update the gateway, or start with --set-aside-store to keep it aside and begin a new store',
	'store-read-only': 'make the file and its folder writable',
	'disk-full': 'make room on the disk',
	'store-failed': 'check the disk and the rights on the folder',
};
