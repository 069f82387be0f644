import { isReadableEvent } from '#contract/eventFields.ts';
import { type ContainerEvent, isEvent, type WorkflowEvent } from '#contract/events.ts';

/** Converts the events of a run to progress messages. */
export class RunProgress {
	readonly #report: (message: string) => void;
	/** Title of the last node whose failure ended the run. */
	failed: string | undefined;
	/** Titles of nodes that are waiting for a form. */
	readonly forms: string[] = [];

	constructor(tell: (message: string) => void) {
		this.#report = tell;
	}

	/** Handles the next event of the run or its chat turn. */
	handleEvent(event: WorkflowEvent): void {
		if (isEvent(event, 'node_started')) {
			this.#reportStart(event.data);
		} else if (isEvent(event, 'node_finished')) {
			this.#reportEnd(event.data);
		} else if (isEvent(event, 'node_retry')) {
			this.#report(`${event.data.title} failed and will be retried: ${event.data.error ?? 'unknown error'}`);
		} else if ((event.event === 'iteration_next' || event.event === 'loop_next') && isReadableEvent(event)) {
			this.#reportIteration((event as ContainerEvent).data);
		} else if (isEvent(event, 'agent_log') && event.data.status === 'start') {
			this.#report(event.data.label);
		} else if (event.event === 'agent_thought') {
			// apps without a graph only have these events
			const { tool, observation } = event as { readonly tool?: unknown; readonly observation?: unknown };
			if (typeof tool === 'string' && tool !== '' && !observation) {
				this.#report(`Calling ${tool}`);
			}
		} else if (isEvent(event, 'human_input_required')) {
			this.forms.push(event.data.node_title || event.data.node_id);
		}
	}

	/** Reports an iteration. Events count iterations from 0, messages count them from 1. */
	#reportIteration({ title, index }: ContainerEvent['data']): void {
		this.#report(typeof index === 'number' ? `${title}: iteration ${index + 1}` : title);
	}

	/** Reports the start of a node. Skips nodes in containers, because containers report their iterations. */
	#reportStart({
		title,
		iteration_id: iteration,
		loop_id: loop,
	}: {
		title: string;
		iteration_id?: string | null;
		loop_id?: string | null;
	}): void {
		if (!iteration && !loop) {
			this.#report(title);
		}
	}

	#reportEnd({ title, node_id: id, status, error }: { title: string; node_id: string; status: string; error: string | null }): void {
		if (status === 'failed') {
			this.failed = title === '' || title === id ? `'${id}'` : `'${title}' (${id})`;
		} else if (status === 'exception') {
			this.#report(`${title} failed, but the run continues: ${error ?? 'unknown error'}`);
		}
	}
}
