import { isReadable } from '#contract/eventFields.ts';
import { type ContainerEvent, isEvent, type WorkflowEvent } from '#contract/events.ts';

/** Reads the events of a run for somebody who is told of it in sentences. */
export class RunProgress {
	readonly #tell: (message: string) => void;
	/** The last node that failed and ended the run by that, as people know it. */
	failed: string | undefined;
	/** Titles of nodes that wait for a person. */
	readonly forms: string[] = [];

	constructor(tell: (message: string) => void) {
		this.#tell = tell;
	}

	/** The next event of the run, or of the turn that it belongs to. */
	take(event: WorkflowEvent): void {
		if (isEvent(event, 'node_started')) {
			this.#begin(event.data);
		} else if (isEvent(event, 'node_finished')) {
			this.#end(event.data);
		} else if (isEvent(event, 'node_retry')) {
			this.#tell(`${event.data.title} failed and is tried again: ${event.data.error ?? 'no reason was told'}`);
		} else if ((event.event === 'iteration_next' || event.event === 'loop_next') && isReadable(event)) {
			this.#round((event as ContainerEvent).data);
		} else if (isEvent(event, 'agent_log') && event.data.status === 'start') {
			this.#tell(event.data.label);
		} else if (event.event === 'agent_thought') {
			// all that apps without a graph tell of what they do
			const { tool, observation } = event as { readonly tool?: unknown; readonly observation?: unknown };
			if (typeof tool === 'string' && tool !== '' && !observation) {
				this.#tell(`Calls ${tool}`);
			}
		} else if (isEvent(event, 'human_input_required')) {
			this.forms.push(event.data.node_title || event.data.node_id);
		}
	}

	/** Rounds are counted from 0 by the events, and from 1 by people. */
	#round({ title, index }: ContainerEvent['data']): void {
		this.#tell(typeof index === 'number' ? `${title}: round ${index + 1}` : title);
	}

	/** What is inside of containers is told of by its rounds. */
	#begin({
		title,
		iteration_id: iteration,
		loop_id: loop,
	}: {
		title: string;
		iteration_id?: string | null;
		loop_id?: string | null;
	}): void {
		if (!iteration && !loop) {
			this.#tell(title);
		}
	}

	#end({ title, node_id: id, status, error }: { title: string; node_id: string; status: string; error: string | null }): void {
		if (status === 'failed') {
			this.failed = title === '' || title === id ? `"${id}"` : `"${title}" (${id})`;
		} else if (status === 'exception') {
			this.#tell(`${title} failed, and the run goes on: ${error ?? 'no reason was told'}`);
		}
	}
}
