/** Machine-readable reason why the store of a data folder can't be opened. */
type OpenFailureReason = 'store-damaged' | 'store-newer' | 'store-read-only' | 'disk-full' | 'store-failed';

/**
 * A store that can't be opened. The message names the file, the problem and a solution. The process then exits with code 4. With `--log
 * json`, the second to last line of stderr is `{"level":"error","message":…,"reason":…,"file":…,"can_set_aside":true|false}`, and the last
 * one is only the message. If `can_set_aside` is true, starting with `--set-aside-store` moves the store to `set-aside-TIME/` next to it
 * and creates a new one.
 */
export class OpenFailure extends Error {
	override readonly name = 'OpenFailure';
	readonly reason: OpenFailureReason;
	/** Absolute path of the broken file. */
	readonly file: string;

	constructor(reason: OpenFailureReason, file: string, problem: string, cause?: unknown) {
		super(`${file} ${problem}. ${remedies[reason]}`, { cause });
		this.reason = reason;
		this.file = file;
	}

	/** True if `--set-aside-store` would let the gateway start. */
	get canSetAside(): boolean {
		return this.reason === 'store-damaged' || this.reason === 'store-newer';
	}
}

const remedies: Readonly<Record<OpenFailureReason, string>> = {
	'store-damaged': 'Restore it from a backup, or start with --set-aside-store to move it aside and create a new store.',
	'store-newer': 'Update the gateway, or start with --set-aside-store to move it aside and create a new store.',
	'store-read-only': 'Make the file and its folder writable.',
	'disk-full': 'Free up disk space.',
	'store-failed': 'Check the disk and the permissions of the folder.',
};
