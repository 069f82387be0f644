/** Fields whose values differ in each run: IDs, times, durations, and whether a recording answered. */
const varying =
	/^(?:id|task_id|workflow_run_id|message_id|conversation_id|created_at|finished_at|started_at|elapsed_time|latency|time_to_\w+|\w+_duration_map|index|node_execution_id|parent_id|sys\.workflow_run_id|(?:sys\.)?(?:app|workflow)_id|sequence_number|sys\.timestamp|sys\.conversation_id|predecessor_node_id|form_token|expiration_time|form_id|replayed|saved_price)$/;

/**
 * Returns the events of a run as sorted texts without IDs and times, because branches run at the same time.
 * The chunks of a text are joined: if its node ends while another text is sent, the whole text comes as one chunk.
 */
export function toComparableEvents(events: readonly unknown[]): readonly string[] {
	return joinChunks(events as readonly RunEvent[])
		.map(event => JSON.stringify(event, (name, value: unknown) => (varying.test(name) ? undefined : value)))
		.sort();
}

interface RunEvent {
	readonly event: string;
	readonly data?: { readonly text?: string; readonly from_variable_selector?: readonly string[] };
}

function joinChunks(events: readonly RunEvent[]): readonly RunEvent[] {
	const texts = new Map<string, RunEvent>();
	const others: RunEvent[] = [];
	for (const event of events) {
		if (event.event !== 'text_chunk') {
			others.push(event);
			continue;
		}
		const source = JSON.stringify(event.data?.from_variable_selector);
		const text = `${texts.get(source)?.data?.text ?? ''}${event.data?.text ?? ''}`;
		texts.set(source, { ...event, data: { ...event.data, text } });
	}
	return [...others, ...texts.values()];
}
