import type { ChatEvent } from '#contract/chat.ts';
import type { WorkflowEvent } from '#contract/events.ts';

/** Events of a chatflow's turn as those of a run: pieces of its answer are pieces of the run's text. All else is told as it comes. */
export async function* chatAsRun(events: AsyncIterable<ChatEvent>): AsyncGenerator<WorkflowEvent> {
	let runId = '';
	for await (const event of events) {
		const { workflow_run_id: id, task_id: task, answer, from_variable_selector: from } = event as Partial<Record<string, unknown>>;
		runId = typeof id === 'string' && id !== '' ? id : runId;
		if ((event.event === 'message' || event.event === 'message_replace') && typeof answer === 'string') {
			const ids = { task_id: typeof task === 'string' ? task : '', workflow_run_id: runId };
			yield event.event === 'message'
				? { event: 'text_chunk', ...ids, data: { text: answer, ...(Array.isArray(from) && { from_variable_selector: from as string[] }) } }
				: { event: 'text_replace', ...ids, data: { text: answer } };
		} else {
			yield event as WorkflowEvent;
		}
	}
}
