import { isEvent, type WorkflowEvent } from '#contract/events.ts';

const pieces = new Set(['ping', 'text_chunk', 'reasoning_chunk']);

/** Whether a service that replays a run sends this event again: chunks of text and of thoughts aren't replayed. */
export function isCounted({ event }: WorkflowEvent): boolean {
	return !pieces.has(event);
}

/**
 * Whether a stream that starts with this event replays its run from the beginning (the built-in gateway); else it sends only new events (Dify, which
 * repeats `workflow_started` with the reason `resumption` for a run that continues after a pause).
 */
function isBeginning(event: WorkflowEvent): boolean {
	return isEvent(event, 'workflow_started') && event.data['reason'] !== 'resumption';
}

/** Separates the new events of a stream that follows a run again from those that came before. */
export class ReplayedEvents {
	readonly #seen: number;
	/** Replayed events that are still to come; `undefined` before the first event, which tells whether the stream replays. */
	#toSkip: number | undefined;

	/** @param seen how many counted events came before */
	constructor(seen: number) {
		this.#seen = seen;
	}

	/** Whether the event is new. Called once per event, in order. */
	isNew(event: WorkflowEvent): boolean {
		if (this.#toSkip === undefined && event.event !== 'ping') {
			this.#toSkip = isBeginning(event) ? this.#seen : 0;
		}
		if (!this.#toSkip) {
			return true;
		}
		this.#toSkip -= isCounted(event) ? 1 : 0;
		return false;
	}
}
