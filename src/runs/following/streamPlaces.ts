import { isEvent, type WorkflowEvent } from '#contract/events.ts';

const pieces = new Set(['ping', 'text_chunk', 'reasoning_chunk']);

/** Whether an event is among those that a service which replays a run gives again: pieces of text and of thoughts are not. */
export function isCounted({ event }: WorkflowEvent): boolean {
	return !pieces.has(event);
}

/**
 * Whether a stream that begins with this event replays its run from there (the built-in gateway); else it gives what is new only (Dify, which tells of a
 * run that goes on after a pause by `workflow_started` too, with the reason `resumption`).
 */
export function isBeginning(event: WorkflowEvent): boolean {
	return isEvent(event, 'workflow_started') && event.data['reason'] !== 'resumption';
}
