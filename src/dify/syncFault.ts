/** An error of pulling, pushing or publishing, with a message for users. Nothing was changed. */
export class SyncFault extends Error {
	override readonly name = 'SyncFault';
	/**
	 * - `unreadable`: a text or sidecar isn't valid
	 * - `mode`: Dify can't overwrite apps of this mode
	 * - `elsewhere`: the sidecar names another server or workspace
	 * - `changed-there`: the app in Dify changed and mustn't be overwritten
	 * - `changed-here`: the file changed since the plan
	 * - `disk`: a file couldn't be read or written
	 * - `invalid`: a value breaks a rule, for example a version name that's too long
	 */
	readonly code: 'unreadable' | 'mode' | 'elsewhere' | 'changed-there' | 'changed-here' | 'disk' | 'invalid';

	constructor(code: SyncFault['code'], message: string) {
		super(message);
		this.code = code;
	}
}
