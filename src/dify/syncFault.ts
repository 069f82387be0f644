/** Why something of the round trip cannot be done; the message is one sentence for people, and nothing was changed. */
export class SyncFault extends Error {
	override readonly name = 'SyncFault';
	/**
	 * - `unreadable`: a text or a sidecar file is not what it should be
	 * - `mode`: Dify overwrites no app of this mode
	 * - `elsewhere`: the sidecar names another deployment or workspace than the one that is signed in to
	 * - `changed-there`: what is there changed, and was not to be overwritten
	 * - `changed-here`: the file changed between plan and act
	 * - `disk`: a file could not be read or written
	 * - `invalid`: what was asked for breaks a rule, such as a version's name that is too long
	 */
	readonly code: 'unreadable' | 'mode' | 'elsewhere' | 'changed-there' | 'changed-here' | 'disk' | 'invalid';

	constructor(code: SyncFault['code'], message: string) {
		super(message);
		this.code = code;
	}
}
