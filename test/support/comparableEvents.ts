/** Fields whose values differ in each run: IDs, times, durations, and whether a recording answered. */
const varying =
	/^(?:id|task_id|workflow_run_id|message_id|conversation_id|created_at|finished_at|started_at|elapsed_time|latency|time_to_\w+|\w+_duration_map|index|node_execution_id|parent_id|sys\.workflow_run_id|(?:sys\.)?(?:app|workflow)_id|sequence_number|sys\.timestamp|sys\.conversation_id|predecessor_node_id|form_token|expiration_time|form_id|replayed|saved_price)$/;

/** Returns the events of a run as sorted texts without IDs and times, because branches run at the same time. */
export function toComparableEvents(events: readonly unknown[]): readonly string[] {
	return events.map(event => JSON.stringify(event, (name, value: unknown) => (varying.test(name) ? undefined : value))).sort();
}
