/** Thrown if a thread couldn't complete its task: out of time or memory, closed with the gateway, or for another reason (`failed`). */
export class ThreadFault extends Error {
	override readonly name = 'ThreadFault';
	readonly reason: 'time' | 'memory' | 'closed' | 'failed';

	constructor(reason: ThreadFault['reason'], message: string) {
		super(message);
		this.reason = reason;
	}
}
