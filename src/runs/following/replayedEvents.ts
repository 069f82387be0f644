import { isEvent, type WorkflowEvent } from '#contract/events.ts';

const pieces = new Set(['ping', 'text_chunk', 'reasoning_chunk']);

/** True if a service that replays a run sends this event again: chunks of text and of thoughts aren't replayed. */
export function isReplayedEvent({ event }: WorkflowEvent): boolean {
	return !pieces.has(event);
}

/**
 * True if a stream that starts with this event replays its run from the beginning (the built-in gateway). Otherwise it sends only new
 * events (Dify, which repeats `workflow_started` with the reason `resumption` for a run that continues after a pause).
 */
function isReplayStart(event: WorkflowEvent): boolean {
	return isEvent(event, 'workflow_started') && event.data['reason'] !== 'resumption';
}

/** Distinguishes the new events of a reopened stream from replayed ones. */
export class ReplayedEvents {
	readonly #seen: number;
	/** Number of replayed events to skip; `undefined` before the first event, which shows whether the stream replays the run. */
	#toSkip: number | undefined;

	/** @param seen number of counted events received before the stream was reopened */
	constructor(seen: number) {
		this.#seen = seen;
	}

	/** True if the event is new. Call once per event, in order. */
	isNewEvent(event: WorkflowEvent): boolean {
		if (this.#toSkip === undefined && event.event !== 'ping') {
			this.#toSkip = isReplayStart(event) ? this.#seen : 0;
		}
		if (!this.#toSkip) {
			return true;
		}
		this.#toSkip -= isReplayedEvent(event) ? 1 : 0;
		return false;
	}
}
