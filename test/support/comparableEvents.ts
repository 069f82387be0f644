/** Fields whose values differ in each run: IDs, times, durations, and whether a recording answered. */
const varying =
	/^(?:id|task_id|workflow_run_id|message_id|conversation_id|created_at|finished_at|started_at|elapsed_time|latency|time_to_\w+|\w+_duration_map|index|node_execution_id|parent_id|sys\.workflow_run_id|(?:sys\.)?(?:app|workflow)_id|sequence_number|sys\.timestamp|sys\.conversation_id|predecessor_node_id|form_token|expiration_time|form_id|replayed|saved_price)$/;

/**
 * Returns the events of runs as sorted texts without IDs and times, because branches run at the same time. The chunks of a text are joined:
 * if its node ends while another text is sent, the whole text comes as one chunk.
 */
export function toComparableEvents(events: readonly unknown[]): readonly string[] {
	return joinChunks(events as readonly RunEvent[])
		.map(event => toComparableText(event))
		.sort();
}

interface RunEvent {
	readonly event: string;
	readonly data?: { readonly text?: string };
}

function toComparableText(event: RunEvent): string {
	return JSON.stringify(event, (name, value: unknown) => (varying.test(name) ? undefined : value));
}

function joinChunks(events: readonly RunEvent[]): readonly RunEvent[] {
	const chunks = new Map<string, RunEvent>();
	const others: RunEvent[] = [];
	for (const each of events) {
		if (each.event !== 'text_chunk') {
			others.push(each);
			continue;
		}
		const { text = '', ...source } = each.data ?? {};
		const key = toComparableText({ ...each, data: source });
		chunks.set(key, { ...each, data: { ...source, text: `${chunks.get(key)?.data?.text ?? ''}${text}` } });
	}
	return [...others, ...chunks.values()];
}
